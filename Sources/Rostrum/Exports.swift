// One import gives an app the whole client floor.
@_exported import CAML
@_exported import CoreAnimation
@_exported import Quartz2D
