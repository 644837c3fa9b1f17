// From facts to sentences: what a property of a layer needed its passes for, which road without them was missed and by
// what, and what to do about it, in Core Animation's words. docs/explain.md lists them.

import LayerModel

struct EffectWords {
    private let layer: AccountedLayer
    private let property: LayerProperty?
    private let obstacle: SurfaceCause.Obstacle
    private let store: LayerStore

    init(
        _ layer: AccountedLayer, _ property: LayerProperty?, _ obstacle: SurfaceCause.Obstacle, _ store: LayerStore
    ) {
        self.layer = layer
        self.property = property
        self.obstacle = obstacle
        self.store = store
    }

    // MARK: What and why

    var explanation: String {
        if property == nil, obstacle == .twoPictures {
            return "transition of \(layer.text) needs surfaces: \(because ?? "")"
        }
        guard let property else { return "the picture itself" }
        return "\(subject(property)) \(need(property))\(because.map { ": \($0)" } ?? "")"
    }

    private func subject(_ property: LayerProperty) -> String {
        let what: String
        switch property {
        case .opacity: what = "opacity"
        case .masksToBounds: what = "masksToBounds"
        case .transform: what = "depth"
        case .position: what = "motion"
        case .shadowOpacity: what = "shadow"
        case .mask: what = "mask"
        case .compositingFilter: what = "compositingFilter \(mode)"
        case .backgroundFilters: what = layer.layerClass == .backdropLayer ? "backdrop" : "backgroundFilters"
        default: what = property.key
        }
        return "\(what) of \(layer.text)"
    }

    private var mode: String { properties?.compositingMode.filterName ?? "" }

    private func need(_ property: LayerProperty) -> String {
        switch property {
        case .opacity: "needs a group"
        case .masksToBounds: "needs a surface"
        case .transform: "needs surfaces"
        case .shadowOpacity: "needs a silhouette"
        case .mask: "needs surfaces"
        case .compositingFilter: "needs what is below it, copied"
        case .contents: "need a surface"
        case .backgroundFilters: "needs what is behind it, copied and filtered"
        case .filters: "need its picture"
        case .shouldRasterize: "keeps its picture"
        case .position: "keeps its picture, which is laid down wherever it goes"
        default: "needs a surface"
        }
    }

    private var because: String? {
        switch obstacle {
        case .none:
            switch property {
            case .transform: return "its plane crosses a sibling's"
            case .shadowOpacity: return "no shadowPath"
            default: return nil
            }
        case .overlap(let a, let b): return overlap(a, b)
        case .tooMany(let drawings): return "\(drawings) drawings are more than are searched for overlaps"
        case .readsBelow(let reader): return "\(self.name(reader)) shows what is below it, in this group"
        case .rim(let drawings, let a, let b):
            return "\(drawings) drawings cross \(rim), and \(overlap(a, b))"
        case .noBackground: return noPath("it has no even backgroundColor")
        case .translucentBackground: return noPath("its backgroundColor is translucent")
        case .drawsGradient: return noPath("it draws a gradient that lets something through")
        case .drawsPath: return noPath("it draws a path and more than that in one color")
        case .reachesOutside(let other):
            return noPath(
                other == layer.id
                    ? "its own drawing reaches outside its bounds" : "\(name(other)) reaches outside its bounds")
        case .severalDrawings(let count):
            return property == .mask
                ? "what masks is \(count) drawings, not one shape" : "it is \(count) drawings, not one"
        case .unevenAlpha(let mask): return "the alpha of \(name(mask)) differs from pixel to pixel"
        case .notAColorFilter(let kind): return "\(kind) is no color filter that leaves alpha alone"
        case .notOneColor(let other):
            return other == layer.id
                ? "its own drawing is not of one color" : "\(name(other)) is not of one color"
        case .twoPictures: return "the old picture and the new one are mixed before they are laid over what is below"
        case .switchedOff(let switches):
            let names = Switches.names.filter { switches.contains($0.value) }.map(\.name).joined(separator: ", ")
            return "the road without it is switched off (\(names))"
        }
    }

    private func noPath(_ more: String) -> String { "no shadowPath, and \(more)" }

    private func overlap(_ a: LayerID, _ b: LayerID) -> String {
        if a == b { return "two drawings of \(name(a)) overlap" }
        return "\(name(a)) overlaps \(name(b))"
    }

    /// What a clip's rim is.
    private var rim: String {
        if property == .transform { return "the cut where its plane crosses a sibling's" }
        return (properties?.cornerRadius ?? 0) > 0 ? "the rounded rim" : "a rim that is not on whole pixels"
    }

    // MARK: What to do

    var advice: [String] {
        if case .switchedOff(let switches) = obstacle {
            let names = Switches.names.filter { switches.contains($0.value) }.map(\.name).joined(separator: ",")
            return ["leave \(names) out of --disable and ROSTRUM_DISABLE"]
        }
        if case .readsBelow(let reader) = obstacle, reader != layer.id {
            return ["move \(name(reader)) out of the group, or take its compositingFilter or backgroundFilters away"]
        }
        switch property {
        case .contents where obstacle == .twoPictures:
            return ["fade between opaque images of one shape, on whole pixels: they need no surface"]
        case nil where obstacle == .twoPictures:
            return ["animate the layer's own properties instead: a transition draws its subtree twice"]
        case .opacity: return opacityAdvice
        case .masksToBounds: return clipAdvice
        case .shadowOpacity: return shadowAdvice
        case .mask: return maskAdvice
        case .filters: return filterAdvice
        case .compositingFilter:
            return [
                "use plusLighter or screen where they will do: they need no copy",
                "make the layer smaller: what lies below its bounds is copied",
            ]
        case .backgroundFilters:
            return [
                "make the layer smaller: what lies behind its bounds is copied and filtered",
                "give CABackdropLayers that show the same one groupName",
            ]
        case .transform:
            return ["keep the planes of siblings apart, by zPosition: where they cross, each is drawn in parts"]
        case .shouldRasterize:
            return ["unset shouldRasterize on what changes in every frame: its picture is made anew each time"]
        default: return []
        }
    }

    private var opacityAdvice: [String] {
        [
            "set allowsGroupOpacity = false if what overlaps may show through",
            "set opacity on the sublayers that need it, or alpha on their colors",
            rasterize,
        ]
    }

    private var clipAdvice: [String] {
        var advice: [String] = []
        if case .rim(_, let a, let b) = obstacle, a == layer.id, b == layer.id, properties?.backgroundColor != nil {
            advice.append("take the backgroundColor away where the contents cover it: one drawing needs no surface")
        }
        if (properties?.cornerRadius ?? 0) > 0 {
            advice.append("move masksToBounds and cornerRadius to the layer with the contents")
            advice.append(
                "leave masksToBounds off where nothing reaches the corners: cornerRadius rounds the background alone")
        } else {
            advice.append("put the layer's edges on whole pixels, unrotated: then clipping is free")
        }
        advice.append(rasterize)
        return advice
    }

    private var shadowAdvice: [String] {
        let radius = properties?.cornerRadius ?? 0
        let shape =
            radius > 0 ? "the layer's bounds with corners of \(shortest(radius))" : "the outline that casts it"
        return ["set shadowPath to \(shape): such a shadow is made once and kept", rasterize]
    }

    private var maskAdvice: [String] {
        var advice: [String] = []
        switch obstacle {
        case .unevenAlpha:
            advice.append("use cornerRadius with masksToBounds instead of a mask where the mask is a rounded rectangle")
            advice.append("put the mask's alpha into the contents where neither changes")
        case .severalDrawings, .overlap:
            advice.append("use a mask of one plain layer, with cornerRadius: it becomes a clip")
            advice.append("mask the layer with the contents, rather than everything above it")
        default: break
        }
        return advice + [rasterize]
    }

    private var filterAdvice: [String] {
        switch obstacle {
        case .notAColorFilter, .notOneColor:
            return [
                "show a picture that is filtered already where neither it nor the filter changes", rasterize,
                "make the layer smaller: its whole picture is filtered",
            ]
        default: return [rasterize]
        }
    }

    private var rasterize: String { "set shouldRasterize while nothing below it changes: its picture is kept" }

    // MARK: Names

    private var properties: LayerProperties? {
        store.index(of: layer.id).map { store.records[Int($0)].properties }
    }

    private func name(_ id: LayerID) -> String { AccountedLayer(id, store).text }

    private func shortest(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e9 ? String(Int(value)) : String(value)
    }
}
