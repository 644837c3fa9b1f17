// Every name that CAML is known to use on a layer, as an attribute or as a property element, and what this reader does
// with it. A name that is missing here is reported as unknown. The table for people is docs/caml.md; a test compares both.
// Source: the semantic reference, §1.1, §6, §8.2 to §8.4.

import CoreAnimation
import LayerModel

/// What a name on a layer means to the reader.
package enum CAMLMeaning: Equatable {
    /// Set on the layer.
    case property(LayerProperty)
    /// 1 is `cornerCurve` continuous.
    case continuousCorners
    /// 1: the bounds with their corners are the shadow's path.
    case shadowPathIsBounds
    /// `enabled` of a backdrop layer.
    case backdropEnabled
    /// Multiplied into the contents' pixels.
    case multiplyColor
    /// Set on a text layer; of another layer it has no effect.
    case text(SceneText.Key)
    /// Set on the layer, which alone makes use of it.
    case client(SceneClientKey)
    /// Known, and the picture is the same without it.
    case noEffect
    /// Only layers of these classes have it: a warning, except where the value says nothing (`neutral`).
    case elsewhere(classes: [String], neutral: [String])
    /// Known, but not drawn: a warning, except where the value says nothing (`neutral`).
    case later(feature: String, neutral: [String])
    case unknown
}

/// The names of CAML.
package enum CAMLVocabulary {
    package static func meaning(of name: String, in layerClass: LayerClass = .layer) -> CAMLMeaning {
        if let property = LayerProperty(key: name, of: layerClass), property != .contents {
            // Emitters have a scale of their own.
            if property.owner == nil || property.owner == layerClass { return .property(property) }
        }
        if name == "enabled", layerClass == .backdropLayer { return .backdropEnabled }
        let classes = owners(of: name)
        if !classes.isEmpty { return .elsewhere(classes: classes, neutral: neutralElsewhere[name] ?? []) }
        if let meaning = table[name] { return meaning }
        // What the CAPlayground editor keeps for itself.
        if name.hasPrefix("caplay") || name.hasPrefix("__cap") || name.hasPrefix("xmlns") { return .noEffect }
        return .unknown
    }

    /// The classes of the layers that have a key, where not every layer has it.
    package static func owners(of name: String) -> [String] {
        if name == "enabled" { return ["CABackdropLayer"] }
        return layerClassNames.filter { className in
            guard let layerClass = layerClass(named: className), layerClass != .layer else { return false }
            return LayerProperty(key: name, of: layerClass)?.owner == layerClass
        }
    }

    /// What says nothing of a layer that doesn't have the key.
    private static let neutralElsewhere = ["enabled": ["1"], "preservesDepth": ["0"]]

    /// Layer classes that are known but drawn as plain layers, with the feature that is missing.
    package static let laterClasses: [String: String] = [
        "CASDFLayer": "distance fields", "CASDFElementLayer": "distance fields",
    ]

    /// The classes that are drawn as what they are.
    package static let layerClassNames = [
        "CALayer", "CATextLayer", "CATransformLayer", "CABackdropLayer", "CAShapeLayer", "CAGradientLayer",
        "CAReplicatorLayer", "CAEmitterLayer", "CAScrollLayer", "CATiledLayer",
    ]

    /// The class of a layer's element, for those that are drawn as what they are.
    package static func layerClass(named name: String) -> LayerClass? {
        switch name {
        case "CALayer", "CATextLayer", "CAScrollLayer", "CATiledLayer": .layer
        case "CATransformLayer": .transformLayer
        case "CABackdropLayer": .backdropLayer
        case "CAShapeLayer": .shapeLayer
        case "CAGradientLayer": .gradientLayer
        case "CAReplicatorLayer": .replicatorLayer
        case "CAEmitterLayer": .emitterLayer
        default: nil
        }
    }

    /// True for an element that stands for a layer.
    package static func isLayer(_ name: String) -> Bool {
        name.hasSuffix("Layer") && name.count > 5 && name.first?.isUppercase == true
    }

    package static let table: [String: CAMLMeaning] = {
        var table: [String: CAMLMeaning] = [
            "continuousCorners": .continuousCorners,
            "contentsMultiplyColor": .multiplyColor, "shadowPathIsBounds": .shadowPathIsBounds,
        ]
        for name in unaffecting { table[name] = .noEffect }
        for key in SceneText.Key.allCases { table[key.rawValue] = .text(key) }
        table["isWrapped"] = .text(.wrapped)
        for key in SceneClientKey.allCases { table[key.rawValue] = .client(key) }
        for (feature, names) in laterNames {
            for (name, neutral) in names { table[name] = .later(feature: feature, neutral: neutral) }
        }
        return table
    }()

    /// Storage hints, editors' notes, layout that has already happened, and what only matters to code.
    package static let unaffecting = [
        "id", "contentsFormat", "needsDisplayOnBoundsChange", "needsLayoutOnGeometryChange", "securityMode", "delegate",
        "allowsGroupBlending", "contentsAlignsToPixels", "drawsAsynchronously",
        "resizingMode", "fontSmoothingStyle",
        "resizesSublayersOnBoundsChange", "noAnimations", "userInfo", "allowsHitTesting", "hitTestsAsOpaque",
        "contentsDirty", "sortsSublayers", "preloadsCache", "literalContentsCenter",
        // Of layers these have no effect.
        "duration", "autoreverses", "repeatCount", "repeatDuration", "fillMode",
    ]

    private static let laterNames: [(feature: String, names: [(String, [String])])] = [
        ("inverted shadows", [("invertsShadow", ["0"])]),
        ("contents scaling other than stretch", [("contentsScaling", ["stretch"])]),
        (
            "gradients",
            [("interpolations", []), ("colorMap", [])]
        ),
        (
            "text",
            [
                ("truncationString", ["", "…"]), ("verticalAlignmentMode", ["", "none", "top"]),
            ]
        ),
        (
            "emitters",
            [
                ("emitterRect", []), ("emitterDuration", []), ("emitterPath", []), ("emitterBehaviors", []),
                ("cullMinZ", []), ("cullMaxZ", []), ("updateInterval", []), ("spinBias", []),
            ]
        ),
        (
            "backdrops",
            [
                ("zoom", []), ("marginWidth", []), ("backdropRect", []),
                ("captureOnly", []), ("allowsInPlaceFiltering", []), ("disablesOccludedBackdropBlurs", []),
                ("reducesCaptureBitDepth", []), ("usesGlobalGroupNamespace", []), ("tracksLuma", []),
                ("statisticsType", []), ("statisticsInterval", []), ("windowServerAware", []),
            ]
        ),
        (
            "extended range",
            [
                ("wantsExtendedDynamicRangeContent", ["0"]), ("toneMapMode", ["automatic"]),
                ("preferredDynamicRange", ["standard"]), ("contentsHeadroom", ["0"]),
            ]
        ),
        ("mesh transforms", [("meshTransform", [])]),
        ("layout", [("layoutManager", []), ("constraints", [])]),
        ("styles", [("style", []), ("actions", [])]),
        ("scripts", [("scriptObject", []), ("scriptComponents", []), ("scriptObjects", [])]),
        ("modules", [("modules", [])]),
    ]
}
