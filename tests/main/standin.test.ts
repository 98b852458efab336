import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildStandin } from '#tests/standin/build'

let folder: string
let standin: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vignette-standin-'))
  standin = await buildStandin(folder)
})

afterAll(() => rm(folder, { recursive: true, force: true }))

/** Runs a short main program; returns its output or its error. */
async function outcomeOf(program: string): Promise<string> {
  const file = join(folder, `${Math.random().toString(36).slice(2)}.cjs`)
  await writeFile(
    file,
    `const { app, ipcMain, protocol, safeStorage, session, shell, BrowserWindow, utilityProcess, ...electron } = { ...require('electron') }
    const attempt = async () => { ${program} }
    attempt().then(() => 'no error', (error) => error.message).then((text) => process.send(text, () => process.exit(0)))`,
  )
  const child = fork(file, [], {
    execArgv: ['--require', join(import.meta.dirname, '../standin/register.cjs')],
    env: { ...process.env, STANDIN_MODULE: standin, STANDIN_USER_DATA: folder, STANDIN_PLATFORM: 'linux' },
  })
  const [text] = await once(child, 'message')
  return String(text)
}

/** Creates a closed window and its page. */
const CLOSED =
  'await app.whenReady(); const window = new BrowserWindow(); const page = window.webContents; window.close(); await new Promise((closed) => window.once("closed", closed))'

test.each([
  ['a window before ready', 'new BrowserWindow()', 'before app is ready'],
  ['a session before ready', 'session.defaultSession', 'before app is ready'],
  ['the keychain before ready', "await safeStorage.encryptStringAsync('x')", 'before app is ready'],
  ['a utility process before ready', "utilityProcess.fork('x')", 'before app is ready'],
  [
    'privileges after ready',
    'await app.whenReady(); protocol.registerSchemesAsPrivileged([])',
    'before app is ready',
  ],
  ['a channel handled twice', "ipcMain.handle('x', () => 1); ipcMain.handle('x', () => 2)", 'second handler'],
  [
    'a protocol handled twice',
    "await app.whenReady(); protocol.handle('app', () => 1); protocol.handle('app', () => 2)",
    'Failed to register protocol: app',
  ],
  [
    'two windows of one name',
    "await app.whenReady(); new BrowserWindow({ name: 'a' }); new BrowserWindow({ name: 'a' })",
    'already in use',
  ],
  ['a closed window', `${CLOSED}; window.show()`, 'Object has been destroyed'],
  ['the page of a closed window', `${CLOSED}; window.webContents.getURL()`, 'Object has been destroyed'],
  ['a destroyed page', `${CLOSED}; page.send(1)`, 'Object has been destroyed'],
  [
    'a call of a channel without a handler',
    "const send = process.send; await new Promise((_, reject) => { process.send = ({ message }) => { process.send = send; reject(new Error(message)) }; process.emit('message', { wire: 'ask', id: 1, name: 'invoke', args: ['nobody', []] }) })",
    "No handler registered for 'nobody'",
  ],
  [
    'what ipc cannot carry',
    "await app.whenReady(); new BrowserWindow().webContents.send('x', () => 1)",
    'could not be cloned',
  ],
  [
    'a Windows notification with an id of 65 units',
    "await app.whenReady(); Object.defineProperty(process, 'platform', { value: 'win32' }); new electron.Notification({ id: 'x'.repeat(65) })",
    'exceeds Windows limit of 64 UTF-16 characters',
  ],
  [
    'notification activations on platforms other than Windows',
    'electron.Notification.handleActivation(() => undefined)',
    'has no Notification.handleActivation',
  ],
  [
    'removing all notifications on platforms other than macOS',
    'electron.Notification.removeAll()',
    'has no Notification.removeAll',
  ],
  [
    'an error of a utility process without a listener',
    "await app.whenReady(); utilityProcess.fork(process.argv[1]).emit('error', 'FatalError', 'v8')",
    'Unhandled error',
  ],
  [
    'a Dock on platforms other than macOS',
    'app.dock.bounce()',
    "Cannot read properties of undefined (reading 'bounce')",
  ],
  ['a CLSID that is none', "app.setToastActivatorCLSID('vignette')", 'Invalid CLSID format'],
  ['a theme that is none', "electron.nativeTheme.themeSource = 'sepia'", 'Invalid theme source'],
  ['a module it does not know', "require('electron').autoUpdater", 'has no module.autoUpdater'],
  ['what it does not know', 'shell.beep()', 'has no shell.beep'],
  [
    'an unknown property of a window',
    'await app.whenReady(); new BrowserWindow().id',
    'has no BrowserWindow.id',
  ],
  [
    'an unknown static property of a class',
    'BrowserWindow.getFocusedWindow()',
    'has no BrowserWindow.getFocusedWindow',
  ],
  [
    'an unknown property of a tray',
    "await app.whenReady(); new electron.Tray('x').popUpContextMenu()",
    'has no Tray',
  ],
  [
    'a fetch of a blob',
    "await app.whenReady(); await electron.net.fetch('blob:app://x')",
    'net::ERR_UNKNOWN_URL_SCHEME',
  ],
  [
    'a fetch of a silent port',
    "await app.whenReady(); await electron.net.fetch('http://127.0.0.1:1')",
    'net::ERR_FAILED',
  ],
  [
    'a manual redirect',
    `await app.whenReady()
    const server = require('node:http').createServer((_, reply) => reply.writeHead(302, { location: '/' }).end())
    await new Promise((listening) => server.listen(0, '127.0.0.1', listening))
    await electron.net.fetch('http://127.0.0.1:' + server.address().port, { redirect: 'manual' })`,
    'Redirect was cancelled',
  ],
  [
    'the Applications folder of another system',
    'app.isInApplicationsFolder()',
    'isInApplicationsFolder is not a function',
  ],
  [
    'no hardware acceleration after ready',
    'await app.whenReady(); app.disableHardwareAcceleration()',
    'can only be called before app is ready',
  ],
  [
    'links without a desktop entry',
    "process.env.STANDIN_DESKTOP_ENTRY = 'none'; throw new Error([app.setAsDefaultProtocolClient('x'), app.setBadgeCount(1)])",
    'false,false',
  ],
  ['an idle threshold of nothing', 'electron.powerMonitor.getSystemIdleState(0)', 'Invalid idle threshold'],
  ['what it does not know of the power', 'electron.powerMonitor.isOnBatteryPower()', 'has no powerMonitor'],
  ['what it does not know of the theme', 'electron.nativeTheme.inForcedColorsMode', 'has no nativeTheme'],
])('the stand-in rejects %s, as Electron does', async (_what, program, message) => {
  expect(await outcomeOf(program)).toContain(message)
})

test('the stand-in’s keychain keeps its first answer until the process ends, as Electron’s encryptor does', async () => {
  const outcome = await outcomeOf(`
    const drive = (name, args) => process.emit('message', { wire: 'ask', id: 1, name, args })
    const send = process.send
    process.send = (message, ...rest) => message.wire === undefined && send.call(process, message, ...rest)
    await app.whenReady()
    drive('setKeychain', ['denied'])
    const first = await safeStorage.encryptStringAsync('x')
    drive('setKeychain', ['open'])
    await new Promise(setImmediate)
    const later = await safeStorage.encryptStringAsync('x')
    throw new Error([first, later].map((bytes) => bytes.subarray(0, 3).toString()).join())`)
  expect(outcome).toBe('v10,v10')
})

test('the stand-in accepts a correct program', async () => {
  expect(await outcomeOf("await app.whenReady(); new BrowserWindow({ name: 'main' }).show()")).toBe(
    'no error',
  )
})
