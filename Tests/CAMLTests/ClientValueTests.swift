import CAML
import CoreAnimation
import Foundation
import Testing

@Suite("Scroll and tiled layers, and autoresizing, in scene files")
struct ClientValueTests {
    @Test("CAML makes the classes, with their values")
    func caml() throws {
        let document = try load(
            """
            <caml><CALayer bounds="0 0 100 100"><sublayers>
            <CAScrollLayer id="s" bounds="3 4 20 20" scrollMode="vertically" autoresizingMask="18"/>
            <CATiledLayer id="t" tileSize="64 32" levelsOfDetail="4"><levelsOfDetailBias type="integer" value="2"/></CATiledLayer>
            </sublayers></CALayer></caml>
            """)
        #expect(document.warnings.map(\.message) == [])
        let scroll = try #require(document.layer(withID: "s") as? CAScrollLayer)
        #expect(scroll.scrollMode == .vertically && scroll.masksToBounds && scroll.bounds.origin.y == 4)
        #expect(scroll.autoresizingMask == [.layerWidthSizable, .layerHeightSizable])
        let tiled = try #require(document.layer(withID: "t") as? CATiledLayer)
        #expect(tiled.tileSize == CGSize(width: 64, height: 32))
        #expect(tiled.levelsOfDetail == 4 && tiled.levelsOfDetailBias == 2)
    }

    @Test("JSON makes them too")
    func json() throws {
        let document = try load(
            """
            {"size": [10, 10], "root": {"bounds": [0, 0, 10, 10], "sublayers": [
            {"class": "CAScrollLayer", "scrollMode": "none", "masksToBounds": false, "autoresizingMask": 1},
            {"class": "CATiledLayer", "tileSize": [64, 32], "levelsOfDetail": 4, "levelsOfDetailBias": 2}]}}
            """)
        #expect(document.warnings.map(\.message) == [])
        let layers = try #require(document.documentRoots.first?.sublayers)
        let scroll = try #require(layers.first as? CAScrollLayer)
        #expect(scroll.scrollMode == .none && !scroll.masksToBounds && scroll.autoresizingMask == .layerMinXMargin)
        let tiled = try #require(layers.last as? CATiledLayer)
        #expect(tiled.tileSize.width == 64 && tiled.levelsOfDetail == 4 && tiled.levelsOfDetailBias == 2)
    }

    @Test("What is wrong says where: in CAML a warning, in JSON an error")
    func wrong() throws {
        let document = try load(
            """
            <caml><CAScrollLayer bounds="0 0 9 9" scrollMode="sideways" autoresizingMask="64" tileSize="8 8"/></caml>
            """)
        #expect(
            document.warnings.map(\.message) == [
                "scrollMode=\"sideways\" is not one of: none, vertically, horizontally, both; it is ignored",
                "autoresizingMask=\"64\" is not a whole number from 0 to 63; it is ignored",
                "tileSize is ignored: only a CATiledLayer has it",
            ])
        for (key, value, part) in [
            ("scrollMode", "3", "is not one of"), ("autoresizingMask", "1.5", "is not a whole number"),
            ("autoresizingMask", "\"x\"", "is not a whole number"),
        ] {
            let error = #expect(throws: SceneError.self) {
                _ = try load(
                    "{\"size\": [1, 1], \"root\": {\"class\": \"CAScrollLayer\", \"\(key)\": \(value)}}")
            }
            #expect(error.map { "\($0)".contains("root.\(key) \(part)") } == true, "\(error.map { "\($0)" } ?? "")")
        }
    }

    @Test("A state that changes a layer's size takes those along that follow it, and brings them back exactly")
    func states() throws {
        let document = try load(
            """
            <caml><CALayer bounds="0 0 200 100"><sublayers><CALayer id="p" bounds="0 0 100 100"><sublayers>
            <CALayer id="c" bounds="0 0 50 10" position="35 20" autoresizingMask="7"/></sublayers></CALayer></sublayers>
            <states><LKState name="wide"><elements><LKStateSetValue targetId="p" keyPath="bounds.size.width"><value
            type="integer" value="200"/></LKStateSetValue></elements></LKState></states></CALayer></caml>
            """)
        #expect(document.warnings.map(\.message) == [])
        let child = try #require(document.layer(withID: "c"))
        #expect(child.frame == CGRect(x: 10, y: 15, width: 50, height: 10))
        let root = try #require(document.documentRoots.first)
        document.stateController.setState("wide", of: root)
        // The thirds of docs/scrolling-and-layout.md.
        #expect(child.frame == CGRect(x: 43, y: 15, width: 84, height: 10))
        document.stateController.setState(nil, of: root)
        #expect(child.frame == CGRect(x: 10, y: 15, width: 50, height: 10))
    }
}
