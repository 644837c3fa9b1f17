// Images of a session: defined, used by layers, filters, animations and old pictures, released, and forgotten with the last
// use.

import LayerModel

extension LayerStore {
    mutating func define(
        _ id: ImageID, _ content: ImageContent, _ opIndex: Int
    ) throws(TransactionError) {
        guard id != .none, images[id] == nil else {
            throw TransactionError(.duplicateImage, opIndex: opIndex, "\(id) exists already")
        }
        guard journal.forgottenImages[id] == nil else {
            throw TransactionError(.duplicateImage, opIndex: opIndex, "\(id) was released in this very commit")
        }
        guard images.count < limits.images else {
            throw TransactionError(.tooManyBytes, opIndex: opIndex, "a session has at most \(limits.images) images")
        }
        guard content.width > 0, content.height > 0,
            content.bytesPerRow >= content.width * content.format.bytesPerPixel
        else {
            throw TransactionError(
                .badImage, opIndex: opIndex,
                "\(id): \(content.width)x\(content.height) with \(content.bytesPerRow) bytes a row is no image")
        }
        guard content.width <= limits.imageSide, content.height <= limits.imageSide else {
            throw TransactionError(
                .imageTooLarge, opIndex: opIndex,
                "\(id) is \(content.width)x\(content.height); the largest side is \(limits.imageSide)")
        }
        let (needed, overflow) = content.bytesPerRow.multipliedReportingOverflow(by: content.height)
        let rowSlack = content.bytesPerRow - content.width * content.format.bytesPerPixel
        guard !overflow, content.pixels.count >= needed - rowSlack else {
            throw TransactionError(.badImage, opIndex: opIndex, "\(id): its pixels are short")
        }
        guard needed <= limits.imageBytes - imageBytes else {
            throw TransactionError(
                .tooManyBytes, opIndex: opIndex, "\(id): images may take \(limits.imageBytes) bytes a session")
        }
        journal.images.append((id, nil))
        imageBytes += needed
        images[id] = ImageRecord(
            size: PixelSize(width: content.width, height: content.height), isOpaque: content.isOpaque,
            byteCount: needed)
    }

    mutating func release(_ id: ImageID, _ opIndex: Int) throws(TransactionError) {
        guard let record = images[id], !record.isReleased else {
            throw TransactionError(.unknownImage, opIndex: opIndex, "\(id) does not exist")
        }
        changeImage(id) { $0.isReleased = true }
        forgetIfUnused(id)
    }

    mutating func use(
        _ image: ImageID, _ key: String, _ id: LayerID, _ opIndex: Int
    ) throws(TransactionError) {
        guard image != .none else { return }
        guard let record = images[image], !record.isReleased else {
            throw TransactionError(
                .unknownImage, opIndex: opIndex, layer: id, "\(key) of \(id): \(image) does not exist")
        }
        changeImage(image) { $0.uses += 1 }
    }

    /// Keeps an image that a layer showed before the transaction, even if the transaction let go of it.
    mutating func reuse(_ image: ImageID, _ opIndex: Int) throws(TransactionError) {
        if images[image] == nil, let record = journal.forgottenImages.removeValue(forKey: image) {
            guard record.byteCount <= limits.imageBytes - imageBytes else {
                throw TransactionError(
                    .tooManyBytes, opIndex: opIndex, "\(image): images may take \(limits.imageBytes) bytes a session")
            }
            journal.images.append((image, nil))
            images[image] = record
            imageBytes += record.byteCount
            forgotten.removeAll { $0 == image }
        }
        changeImage(image) { $0.uses += 1 }
    }

    mutating func unuse(_ image: ImageID) {
        guard image != .none else { return }
        changeImage(image) { $0.uses -= 1 }
        forgetIfUnused(image)
    }

    mutating func changeImage(_ id: ImageID, _ change: (inout ImageRecord) -> Void) {
        guard var record = images[id] else { return }
        journal.images.append((id, record))
        change(&record)
        images[id] = record
    }

    mutating func forgetIfUnused(_ id: ImageID) {
        guard let record = images[id], record.isReleased, record.uses == 0 else { return }
        journal.images.append((id, record))
        images[id] = nil
        imageBytes -= record.byteCount
        forgotten.append(id)
        journal.forgottenImages[id] = record
    }
}

extension LayerProperties {
    /// Pictures of particles, each as often as a cell has it.
    var emitterImages: [ImageID] { rare?.value.emitter == nil ? [] : emitter.cells.images }
}

extension [EmitterCell] {
    var images: [ImageID] {
        var images: [ImageID] = []
        for cell in self { cell.forEachImage { images.append($0) } }
        return images
    }
}
