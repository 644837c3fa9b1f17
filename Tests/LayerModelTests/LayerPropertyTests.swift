import Testing

import LayerModel

@Suite("The property table")
struct LayerPropertyTests {
    @Test("Every property reads back the kind its row names", arguments: LayerProperty.allCases)
    func kinds(property: LayerProperty) {
        #expect(LayerProperties()[property].kind == property.kind)
    }

    @Test("Keys name one property each", arguments: LayerProperty.allCases)
    func keys(property: LayerProperty) {
        #expect(LayerProperty(key: property.key) == property)
    }

    @Test("A default value stored back changes nothing", arguments: LayerProperty.allCases)
    func roundTrip(property: LayerProperty) throws {
        var properties = LayerProperties()
        try properties.set(property, to: properties[property])
        #expect(properties == LayerProperties())
    }

    @Test("A number that is not finite is refused and the old value stays")
    func notFinite() {
        var properties = LayerProperties()
        properties.bounds = Rect(1, 2, 3, 4)
        #expect(throws: PropertyFault.notFinite(.bounds)) {
            try properties.set(.bounds, to: .rect(Rect(0, 0, .infinity, 1)))
        }
        #expect(properties.bounds == Rect(1, 2, 3, 4))
    }
}
