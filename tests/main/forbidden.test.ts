import { readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const src = resolve(import.meta.dirname, '../../src')

/** All source files of the folders, as [path, text]. */
async function sources(...folders: string[]): Promise<[string, string][]> {
  const lists = await Promise.all(
    folders.map(async (folder) => {
      const names = await readdir(join(src, folder), { recursive: true })
      return names.filter((name) => /\.(ts|tsx|html)$/.test(name)).map((name) => join(folder, name))
    }),
  )
  return Promise.all(
    lists
      .flat()
      .map(async (name): Promise<[string, string]> => [name, await readFile(join(src, name), 'utf8')]),
  )
}

/**
 * Code that disables a protection of Electron or bypasses our wrappers, and the only file that may contain it, if any.
 */
const FORBIDDEN: readonly [RegExp, readonly string[]][] = [
  [/webSecurity/, []],
  [/allowRunningInsecureContent/, []],
  [/experimentalFeatures/, []],
  [/enableBlinkFeatures/, []],
  [/bypassCSP|corsEnabled|allowServiceWorkers/, []],
  [/nodeIntegration\w*: true/, []],
  [/(sandbox|contextIsolation): false/, []],
  [/webviewTag: true|<webview/, []],
  [/certificate-error|setCertificateVerifyProc/, []],
  // main.ts only checks whether the switch is set.
  [/(?<!hasSwitch\(')no-sandbox|disable-web-security/, []],
  [/@electron\/remote|@electron-toolkit/, []],
  [/additionalArguments/, []],
  [/\.(encryptString|decryptString|isEncryptionAvailable)\(/, []],
  [/\bipcMain\b/, [join('main', 'start-app.ts')]],
  [/ipc\.handle\(/, [join('main', 'ipc.ts')]],
  [/webContents\.send\(/, [join('main', 'window', 'page.ts')]],
  [/\bipcRenderer\b/, [join('preload', 'index.ts')]],
  // In Electron `document.hidden` is false in the tray too; use lib/visibility.ts.
  [
    /!document\.hidden|document\.visibilityState|'visibilitychange'|document\.hasFocus\(/,
    [join('renderer', 'features', 'desktop', 'browser-bridge.ts')],
  ],
  [/shell\.openExternal\(/, [join('main', 'window', 'external-links.ts')]],
]

test.each(FORBIDDEN)('%s only occurs in %j', async (pattern, allowed) => {
  const found = (await sources('main', 'preload', 'renderer', 'shared'))
    .filter(([, text]) => pattern.test(text))
    .map(([name]) => name)
  expect(found.sort()).toEqual([...allowed].sort())
})
