// What a layer says, as keys and values of scene files, for both formats: only what differs from the class's default, in the order of
// the property table. Images, filters, masks, sublayers, cells and animations are the writers' own.

import CoreAnimation
import Foundation
import LayerModel
import Quartz2D

/// The keys of one layer with their values.
package struct LayerDescription {
    package var className: String
    package var values: [(key: String, value: WrittenValue)] = []

    private static let standard = LayerProperties()
    private static let scrollStandard = CAScrollLayer().properties
    private static let textStandard = CATextLayer()

    /// - Parameter standsInCorner: Its bounds' corner is its superlayer's origin, whatever its own place is.
    package init(_ layer: CALayer, standsInCorner: Bool, session: WritingSession) {
        className = "\(layer.frameworkClass)"
        if type(of: layer) != layer.frameworkClass {
            session.warn(layer, "the class \(type(of: layer)) is the app's own; it is written as a \(className)")
        }
        let standard = layer is CAScrollLayer ? LayerDescription.scrollStandard : LayerDescription.standard
        for property in LayerProperty.allCases where property.isWrittenByKey {
            guard property.owner == nil || property.owner == layer.layerClass else { continue }
            if standsInCorner, property == .transform { continue }
            let value = LayerDescription.value(of: property, in: layer, standsInCorner: standsInCorner)
            guard value != standard[property] else { continue }
            guard let written = WrittenValue(value, of: property) else { continue }
            if case .path(let path) = written, path.verbs.count > PathSyntax.verbLimit {
                session.warn(
                    layer, "\(property.key) is left out: it has more than \(PathSyntax.verbLimit) lines and curves")
                continue
            }
            values.append((LayerDescription.key(of: property), written))
        }
        if let backdrop = layer as? CABackdropLayer, !backdrop.isEnabled { values.append(("enabled", .flag(false))) }
        if let text = layer as? CATextLayer { describe(text, session) }
        describeClientKeys(of: layer)
        reportOwnKeys(of: layer, session)
    }

    /// The name that Core Animation has for it in the class that has it.
    private static func key(of property: LayerProperty) -> String {
        switch property {
        case .emitterScale: "scale"
        case .emitterPreservesDepth: "preservesDepth"
        default: property.key
        }
    }

    private static func value(of property: LayerProperty, in layer: CALayer, standsInCorner: Bool) -> PropertyValue {
        switch property {
        case .scale: return (layer as? CABackdropLayer).map { .number(Double($0.scale)) } ?? standard[.scale]
        case .position where standsInCorner:
            let x = layer.anchorPoint.x * layer.bounds.width
            let y = layer.anchorPoint.y * layer.bounds.height
            return .point(x.isFinite && y.isFinite ? Point(x, y) : Point(layer.position))
        case .zPosition where standsInCorner: return .number(Double(layer.anchorPointZ))
        default: return layer.properties[property]
        }
    }

    /// What stays with the client: how a layer scrolls, is tiled, or follows its superlayer's size.
    private mutating func describeClientKeys(of layer: CALayer) {
        let layerClass = SceneClientClass(rawValue: className)
        let standard = layerClass?.makeLayer() ?? CALayer()
        for key in SceneClientKey.allCases where key.owner == nil || key.owner == layerClass {
            let value = layer.value(forKey: key.rawValue)
            guard value as? AnyHashable != standard.value(forKey: key.rawValue) as? AnyHashable,
                let written = value.flatMap({ WrittenValue($0, as: key.kind) })
            else { continue }
            values.append((key.rawValue, written))
        }
    }

    // MARK: Text

    private mutating func describe(_ layer: CATextLayer, _ session: WritingSession) {
        let standard = LayerDescription.textStandard
        switch layer.string {
        case let plain as String where !plain.isEmpty: values.append(("string", .text(plain)))
        case let attributed as NSAttributedString:
            session.warn(layer, "string is written without its attributes: files hold plain text")
            values.append(("string", .text(attributed.string)))
        default: break
        }
        let font: String? =
            switch layer.font {
            case let font as CTFont: font.postScriptName
            case let font as CGFont: font.postScriptName
            case let name as String: name
            default: nil
            }
        if let font, font != standard.font as? String { values.append(("font", .text(font))) }
        if layer.fontSize != standard.fontSize { values.append(("fontSize", .number(Double(layer.fontSize)))) }
        if let color = layer.foregroundColor, color != standard.foregroundColor {
            values.append(("foregroundColor", .color(color.color)))
        }
        if layer.isWrapped { values.append(("wrapped", .flag(true))) }
        if layer.truncationMode != standard.truncationMode {
            values.append(("truncationMode", .text(layer.truncationMode.rawValue)))
        }
        if layer.alignmentMode != standard.alignmentMode {
            values.append(("alignmentMode", .text(layer.alignmentMode.rawValue)))
        }
        if layer.allowsFontSubpixelQuantization { values.append(("allowsFontSubpixelQuantization", .flag(true))) }
    }

    private func reportOwnKeys(of layer: CALayer, _ session: WritingSession) {
        for key in layer.ownKeys {
            if layer is CATextLayer, SceneText.Key(rawValue: key) != nil { continue }
            session.warn(layer, "\(WritingSession.clean(key.prefix(64))) is left out: it is a key of the app's own")
        }
    }
}

extension LayerProperty {
    /// Has a value of its own; the others are images, layers, filters and cells.
    fileprivate var isWrittenByKey: Bool {
        switch kind {
        case .image, .layer, .filters, .cells: false
        default: self != .compositingFilter
        }
    }
}

/// An attribute or input of an object that is no layer: a filter, a cell.
package struct ObjectDescription {
    package var values: [(key: String, value: WrittenValue)] = []
    package var cells: [CAEmitterCell] = []

    /// - Parameter listKey: The list that it is in, for messages.
    package init(_ filter: CAFilter, of layer: CALayer, in listKey: String, session: WritingSession) {
        if let name = filter.name { values.append(("name", .text(name))) }
        if !filter.isEnabled { values.append(("enabled", .flag(false))) }
        let what = WritingSession.clean("\(listKey), \(filter.type.prefix(64))")
        for input in LayerFilter.Input.allCases {
            guard let object = filter.inputs["\(input)"] else { continue }
            if let lack = FilterVocabulary.lack(of: input, in: filter.type) {
                session.warn(layer, "\(listKey): \(input) is left out: it \(lack)")
                continue
            }
            guard let value = ObjectDescription.value(object, of: input) else {
                session.warn(layer, "\(what): \(input) is left out: it is a \(type(of: object))")
                continue
            }
            values.append(("\(input)", value))
        }
        let known = Set(LayerFilter.Input.allCases.map { "\($0)" })
        for key in filter.inputs.keys.sorted()
        where !known.contains(key) && !FilterVocabulary.unaffecting.contains(key) {
            session.warn(
                layer, "\(what): the input \(WritingSession.clean(key.prefix(64))) is left out: it is not known")
        }
    }

    private static func value(_ object: Any, of input: LayerFilter.Input) -> WrittenValue? {
        switch FilterInputKind(input) {
        case .number: return WrittenValue(object, as: .number)
        case .flag: return WrittenValue(object, as: .flag)
        case .color: return WrittenValue(object, as: .color)
        case .size: return WrittenValue(object, as: .size)
        case .image: return WrittenValue(object, as: .image)
        case .matrix:
            // Four rows of five, or 20 numbers.
            let rows = (object as? [Any])?.flatMap { ($0 as? [Any]) ?? [$0] }
            return rows.flatMap { WrittenValue($0, as: .numbers(20)) }
        }
    }

    package init(_ cell: CAEmitterCell, of layer: CALayer, session: WritingSession) {
        let standard = CAEmitterCell()
        if let name = cell.name { values.append(("name", .text(name))) }
        if !cell.isEnabled { values.append(("enabled", .flag(false))) }
        for number in EmitterCell.Number.allCases where number.isKey {
            let value = cell.number(number)
            guard value != standard.number(number) else { continue }
            guard value.isFinite else {
                session.warn(layer, "emitterCells: \(number.key) is left out: it is not finite")
                continue
            }
            values.append((number.key, .number(NumberText.text(value, isSingle: number.isSingle))))
        }
        if let color = cell.color, color != standard.color { values.append(("color", .color(color.color))) }
        if cell.contentsRect != standard.contentsRect, let rect = WrittenValue(cell.contentsRect, as: .rect) {
            values.append(("contentsRect", rect))
        }
        if cell.duration != standard.duration, cell.duration.isFinite {
            values.append(("duration", .number(cell.duration)))
        }
        if cell.minificationFilter != standard.minificationFilter {
            values.append(("minificationFilter", .text(cell.minificationFilter)))
        }
        if cell.magnificationFilter != standard.magnificationFilter {
            values.append(("magnificationFilter", .text(cell.magnificationFilter)))
        }
        if let image = cell.contents as? CGImage { values.append(("contents", .picture(image))) }
        cells = cell.emitterCells ?? []
    }
}
