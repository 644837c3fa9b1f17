// Makes the gallery: a still picture and a clip of each example.
//
//     swift run -c release RostrumGallery                      stills and clips of all, into gallery/
//     swift run -c release RostrumGallery --help

import Foundation
import Rostrum

exit(GalleryCommand.run(Array(CommandLine.arguments.dropFirst())))
