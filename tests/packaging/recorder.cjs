// electron-builder hook that records the inputs of fpm and codesign instead of running them: fpm would be downloaded,
// and codesign needs a Mac.
const { readFile, writeFile } = require('node:fs/promises')
const { join } = require('node:path')
const { MacPackager } = require('app-builder-lib/out/macPackager')

exports.default = async ({ packager, outDir }) => {
  const mac = new MacPackager(packager.info)
  const { platformSpecificBuildOptions: options } = mac
  const { entitlements, hardenedRuntime } = (
    await mac.helper.getOptionsForFile('Vignette.app', false, options)
  )('Vignette.app')
  const { resetAdHocDarwinSignature } = await mac.generateFuseConfig(packager.config.electronFuses)
  const signature = {
    entitlements: await readFile(entitlements, 'utf8'),
    hardenedRuntime,
    isAdHocAfterFuses: resetAdHocDarwinSignature === true,
    icon: await mac.getIconPath(),
  }
  await writeFile(join(outDir, 'mac.json'), JSON.stringify(signature))

  packager.packagerOptions.effectiveOptionComputed = async ([args, entryFile]) => {
    const script = (name) => readFile(args[args.indexOf(name) + 1], 'utf8')
    const deb = {
      desktopEntry: await readFile(entryFile, 'utf8'),
      afterInstall: await script('--after-install'),
      args,
    }
    await writeFile(join(outDir, 'deb.json'), JSON.stringify(deb))
    return true
  }
}
