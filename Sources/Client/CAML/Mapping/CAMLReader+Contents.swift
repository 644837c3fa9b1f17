// The contents of a layer: an image file, a coverage painted with a color, or a reference to either.

import LayerModel

/// What was found about a layer's contents before the image is read.
struct ContentsPainting {
    /// The `<contents>` element.
    var element: Int?
    /// A `contents="file"` attribute.
    var source: MarkupAttribute?
    var multiply: Color?
}

extension CAMLReader {
    /// An image as an element names it.
    private struct Picture {
        var source: MarkupAttribute
        var coverage: PictureCoverage?
        var tint: Color?
    }

    func readContents(_ painting: ContentsPainting, into node: inout SceneNode) {
        var picture: Picture?
        if let element = painting.element {
            picture = findPicture(in: element)
        } else if let source = painting.source {
            picture = Picture(source: source)
        }
        guard let picture else { return }
        do throws(PictureFault) {
            node.image = try pictures.image(
                picture.source.value, from: folder, coverage: picture.coverage,
                color: CAMLReader.product(picture.tint, painting.multiply))
        } catch {
            warn(picture.source, error.message + "; nothing is drawn for it")
        }
    }

    /// Follows `<contents>` to the element with `src`: itself, an image in it, or one that `object="#id"` names.
    private func findPicture(in contents: Int) -> Picture? {
        var index = contents
        for _ in 0..<8 {
            let element = tree[index]
            if let object = element.attribute("object") {
                guard let target = self.element(withReference: object.value) else {
                    warn(object, "object=\"\(object.value.prefix(60))\" names no element; the contents are ignored")
                    return nil
                }
                index = target
                continue
            }
            let type = element.attribute("type")?.value ?? (index == contents ? nil : element.name)
            switch type {
            case "CATintedImage": return findTintedPicture(in: index)
            case nil, "CGImage", "image":
                if let source = element.attribute("src") { return picture(at: index, source: source) }
                guard let inner = tree.children(of: index).first(where: { isPictureElement($0) }) else {
                    if type != nil || element.hasChildren {
                        reportSkipped(index, "<\(element.name)> names no image file (src); nothing is drawn for it")
                    }
                    return nil
                }
                index = inner
            case "null": return nil
            default:
                reportSkipped(index, "contents of type \(type ?? "") are ignored: not drawn yet")
                return nil
            }
        }
        warn(contents, "the contents are nested too deeply; they are ignored")
        return nil
    }

    private func isPictureElement(_ index: Int) -> Bool {
        ["CGImage", "image", "CATintedImage", "null"].contains(tree[index].name)
            || tree[index].attribute("object") != nil || tree[index].attribute("src") != nil
    }

    private func picture(at index: Int, source: MarkupAttribute) -> Picture {
        let element = tree[index]
        for attribute in element.attributes where !["src", "type", "A8asL8", "id", "object"].contains(attribute.name) {
            warn(attribute, "the attribute \(attribute.name) of <\(element.name)> is not known; it is ignored")
        }
        var coverage: PictureCoverage?
        if let gray = element.attribute("A8asL8") {
            do throws(ScalarFault) {
                if try ScalarSyntax.boolean(gray.value) { coverage = .gray }
            } catch {
                warn(gray, "A8asL8=\"\(gray.value.prefix(60))\" \(error.message); it is ignored")
            }
        }
        return Picture(source: source, coverage: coverage)
    }

    private func findTintedPicture(in index: Int) -> Picture? {
        var found: Picture?
        var tint: Color?
        for child in tree.children(of: index) {
            let element = tree[child]
            if element.name == "tint" {
                tint = readColor(child)?.value
            } else if let source = element.attribute("src") {
                found = picture(at: child, source: source)
            } else if let object = element.attribute("object"), let target = self.element(withReference: object.value),
                let source = tree[target].attribute("src")
            {
                found = picture(at: target, source: source)
            } else {
                warn(child, "<\(element.name)> of a tinted image is not known; it is ignored")
            }
        }
        guard var found else {
            warn(index, "the tinted image names no image file (src); nothing is drawn for it")
            return nil
        }
        found.coverage = found.coverage ?? .alpha
        found.tint = tint
        return found
    }

    /// The element that `#id` names: an id may itself begin with the number sign.
    func element(withReference reference: String) -> Int? {
        if let exact = elementsByID[reference] { return exact }
        return reference.hasPrefix("#") ? elementsByID[String(reference.dropFirst())] : nil
    }

    private static func product(_ a: Color?, _ b: Color?) -> Color? {
        guard let a, let b else { return a ?? b }
        return Color(a.red * b.red, a.green * b.green, a.blue * b.blue, a.alpha * b.alpha)
    }
}
