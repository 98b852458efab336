// A hook of electron-builder: writes the desktop entry it would install beside the packaged app, which it leaves
// out where nothing but a folder is made.
const { writeFile } = require('node:fs/promises')
const { join } = require('node:path')
const { LinuxTargetHelper } = require('app-builder-lib/out/targets/LinuxTargetHelper')

exports.default = async ({ packager, outDir }) => {
  const helper = new LinuxTargetHelper(packager)
  const entry = {
    file: `${helper.getDesktopFileName()}.desktop`,
    text: await helper.computeDesktopEntry(packager.platformSpecificBuildOptions),
  }
  await writeFile(join(outDir, 'desktop-entry.json'), JSON.stringify(entry))
}
