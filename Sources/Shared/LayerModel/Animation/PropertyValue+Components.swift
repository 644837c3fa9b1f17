// Parts of values by name: what key paths read and change. A part of a transform other than the translation is read from
// its decomposition, and set by decomposing, replacing and recomposing; angles are not wrapped. Source: semantic reference,
// §1.12.

extension PropertyValue {
    /// The part; nil where the value has none of that name.
    package subscript(component: PropertyComponent) -> PropertyValue? {
        switch (self, component) {
        case (.point(let p), .x), (.point(let p), .width): return .number(p.x)
        case (.point(let p), .y), (.point(let p), .height): return .number(p.y)
        case (.rect(let r), .origin): return .point(r.origin)
        case (.rect(let r), .originX): return .number(r.origin.x)
        case (.rect(let r), .originY): return .number(r.origin.y)
        case (.rect(let r), .size): return .point(Point(r.size.width, r.size.height))
        case (.rect(let r), .sizeWidth): return .number(r.size.width)
        case (.rect(let r), .sizeHeight): return .number(r.size.height)
        case (.transform(let t), _): return t[component]
        default: return nil
        }
    }

    /// The value with a part replaced; nil where it has none of that name, or the new one is of another kind.
    package func replacing(_ component: PropertyComponent, with new: PropertyValue) -> PropertyValue? {
        switch (self, component, new) {
        case (.point(var p), .x, .number(let n)), (.point(var p), .width, .number(let n)):
            p.x = n
            return .point(p)
        case (.point(var p), .y, .number(let n)), (.point(var p), .height, .number(let n)):
            p.y = n
            return .point(p)
        case (.rect(var r), .origin, .point(let p)):
            r.origin = p
            return .rect(r)
        case (.rect(var r), .originX, .number(let n)):
            r.origin.x = n
            return .rect(r)
        case (.rect(var r), .originY, .number(let n)):
            r.origin.y = n
            return .rect(r)
        case (.rect(var r), .size, .point(let p)):
            r.size = Size(p.x, p.y)
            return .rect(r)
        case (.rect(var r), .sizeWidth, .number(let n)):
            r.size.width = n
            return .rect(r)
        case (.rect(var r), .sizeHeight, .number(let n)):
            r.size.height = n
            return .rect(r)
        case (.transform(let t), _, _): return t.replacing(component, with: new).map { .transform($0) }
        default: return nil
        }
    }
}

extension Transform {
    package subscript(component: PropertyComponent) -> PropertyValue? {
        switch component {
        case .translation: return .point(Point(m41, m42))
        case .translationX: return .number(m41)
        case .translationY: return .number(m42)
        case .translationZ: return .number(m43)
        default: break
        }
        guard component.isPart(of: .transform), isFinite else { return nil }
        let parts = TransformDecomposition(self)
        switch component {
        case .rotationX: return .number(parts.rotation.eulerAngles.x)
        case .rotationY: return .number(parts.rotation.eulerAngles.y)
        case .rotationZ: return .number(parts.rotation.eulerAngles.z)
        case .scaleX: return .number(parts.scale.x)
        case .scaleY: return .number(parts.scale.y)
        case .scaleZ: return .number(parts.scale.z)
        case .scale: return .number((parts.scale.x + parts.scale.y + parts.scale.z) / 3)
        case .scaleXY: return .number((parts.scale.x + parts.scale.y) / 2)
        default: return nil
        }
    }

    package func replacing(_ component: PropertyComponent, with new: PropertyValue) -> Transform? {
        var transform = self
        if component == .translation {
            guard case .point(let p) = new else { return nil }
            (transform.m41, transform.m42) = (p.x, p.y)
            return transform
        }
        guard component.isPart(of: .transform), case .number(let number) = new else { return nil }
        switch component {
        case .translationX:
            transform.m41 = number
            return transform
        case .translationY:
            transform.m42 = number
            return transform
        case .translationZ:
            transform.m43 = number
            return transform
        default: break
        }
        guard isFinite else { return self }
        if component == .rotationZ, self == .identity { return .rotation(number, 0, 0, 1) }
        var parts = TransformDecomposition(self)
        switch component {
        case .rotationX: parts.rotation.eulerAngles.x = number
        case .rotationY: parts.rotation.eulerAngles.y = number
        case .rotationZ: parts.rotation.eulerAngles.z = number
        case .scaleX: parts.scale.x = number
        case .scaleY: parts.scale.y = number
        case .scaleZ: parts.scale.z = number
        case .scale: parts.scale = Vector3(number, number, number)
        case .scaleXY: (parts.scale.x, parts.scale.y) = (number, number)
        default: return nil
        }
        return parts.recomposed
    }
}
