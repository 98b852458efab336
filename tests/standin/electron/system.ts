import { readFile } from 'node:fs/promises'
import type { Clipboard, Dialog, NativeTheme, Net, PowerMonitor, Shell } from 'electron'
import { hasBecomeReady, knowsOnly, requireReady, StandinEmitter, strict, type Unknown } from './life'
import { answerFor, isHandled } from './protocol'
import { record } from './record'

const standinShell = {
  async openExternal(url: string): Promise<void> {
    record.openedExternally.push(url)
  },
  showItemInFolder(path: string): void {
    record.shownInFolder.push(path)
  },
  async openPath(path: string): Promise<string> {
    record.openedPaths.push(path)
    return ''
  },
} satisfies Partial<Shell>
knowsOnly<Unknown<typeof standinShell, Shell>>()
export const shell = strict('shell', standinShell)

/** The results of the next file dialogs; empty means cancelled. */
export const nextFiles: string[] = []

/** The open message box. */
let openBox: { options: Electron.MessageBoxOptions; close(response: number): void } | null = null

/** Clicks a button of the open message box. */
export function pressInDialog(label: string): void {
  const button = openBox?.options.buttons?.indexOf(label) ?? -1
  if (button < 0) throw new Error(`no open dialog has a button '${label}'`)
  openBox?.close(button)
}

const standinDialog = {
  /** Resolves with the clicked button, or with `cancelId` when its signal aborts. */
  showMessageBox(
    ...args: [window: unknown, options: Electron.MessageBoxOptions] | [options: Electron.MessageBoxOptions]
  ): Promise<Electron.MessageBoxReturnValue> {
    requireReady('dialog')
    const options = args.at(-1) as Electron.MessageBoxOptions
    record.messageBoxes.push(options.message)
    return new Promise((resolve) => {
      const close = (response: number) => {
        openBox = null
        resolve({ response, checkboxChecked: false })
      }
      openBox = { options, close }
      options.signal?.addEventListener('abort', () => close(options.cancelId ?? 0))
    })
  },
  async showOpenDialog(
    ...args: [window: unknown, options: unknown] | [options: unknown]
  ): Promise<Electron.OpenDialogReturnValue> {
    requireReady('dialog')
    record.dialogs.push(structuredClone(args.at(-1)))
    const path = nextFiles.shift()
    return path === undefined ? { canceled: true, filePaths: [] } : { canceled: false, filePaths: [path] }
  },
  async showSaveDialog(
    ...args: [window: unknown, options: unknown] | [options: unknown]
  ): Promise<Electron.SaveDialogReturnValue> {
    requireReady('dialog')
    record.dialogs.push(structuredClone(args.at(-1)))
    const filePath = nextFiles.shift()
    return { canceled: filePath === undefined, filePath: filePath ?? '' }
  },
  showErrorBox(title: string, content: string): void {
    record.errorBoxes.push(`${title}\n${content}`)
    process.stderr.write(`${title}\n${content}\n`)
  },
}
knowsOnly<Unknown<typeof standinDialog, Dialog>>()
export const dialog = strict('dialog', standinDialog)

let themeSource: NativeTheme['themeSource'] = 'system'

class StandinTheme extends StandinEmitter {
  constructor() {
    super('nativeTheme')
  }

  get themeSource(): NativeTheme['themeSource'] {
    return themeSource
  }

  set themeSource(source: NativeTheme['themeSource']) {
    if (!['system', 'light', 'dark'].includes(source)) throw new TypeError('Invalid theme source')
    themeSource = source
    this.emit('updated')
  }

  get shouldUseDarkColors(): boolean {
    return themeSource === 'dark'
  }
}
knowsOnly<Unknown<StandinTheme, NativeTheme>>()
export const nativeTheme = strict('nativeTheme', new StandinTheme())

/** When the member left, in milliseconds since 1970; null while the member uses the computer. */
let idleSince: number | null = null
let isScreenLocked = false

/** The member does nothing since `seconds`, and the screen may be locked; 0 for somebody at the keyboard. */
export function setIdle(seconds: number, isLocked: boolean): void {
  idleSince = seconds === 0 ? null : Date.now() - seconds * 1_000
  isScreenLocked = isLocked
}

/** Nobody types between events such as `suspend` and `resume`. */
const LEAVING = ['lock-screen', 'suspend', 'user-did-resign-active']

class StandinPower extends StandinEmitter {
  constructor() {
    super('powerMonitor')
  }

  override emit(event: string | symbol, ...args: unknown[]): boolean {
    idleSince = LEAVING.includes(String(event)) ? Date.now() : null
    return super.emit(event, ...args)
  }

  getSystemIdleTime(): number {
    return idleSince === null ? 0 : Math.floor((Date.now() - idleSince) / 1_000)
  }

  /** As CalculateIdleState of Chromium (ui/base/idle/idle.cc). */
  getSystemIdleState(threshold: number): 'active' | 'idle' | 'locked' {
    if (threshold <= 0) throw new TypeError('Invalid idle threshold, must be greater than 0')
    if (isScreenLocked) return 'locked'
    return this.getSystemIdleTime() >= threshold ? 'idle' : 'active'
  }
}
knowsOnly<Unknown<StandinPower, PowerMonitor>>()
export const powerMonitor = strict('powerMonitor', new StandinPower())

const standinClipboard = {
  async writeText(text: string): Promise<void> {
    record.clipboard = text
  },
}
knowsOnly<Unknown<typeof standinClipboard, Clipboard>>()
export const clipboard = strict('clipboard', standinClipboard)

const standinCrashReporter = {
  /** As lib/browser/api/crash-reporter.ts. Processes that started before are not watched. */
  start: (options: Electron.CrashReporterStartOptions) => {
    const { submitURL = '', uploadToServer = true } = options
    if (uploadToServer && submitURL === '')
      throw new Error('submitURL must be specified when uploadToServer is true')
    if (hasBecomeReady()) throw new Error('the electron stand-in starts the crash reporter before ready only')
    record.crashReporter = options
  },
}
knowsOnly<Unknown<typeof standinCrashReporter, Electron.CrashReporter>>()
export const crashReporter = strict('crashReporter', standinCrashReporter)

/** As net.fetch: errors are Chromium's, and a redirect in mode `manual` is one (lib/browser/api/net-client-request.ts). */
async function netFetch(...[input, init]: Parameters<Net['fetch']>): Promise<Response> {
  requireReady('net.fetch')
  const url = input instanceof Request ? input.url : input
  const scheme = url.slice(0, url.indexOf(':'))
  // electron_api_url_loader.cc knows files, data, the network and the app's own protocols.
  if (isHandled(scheme)) return answerFor(url, init)
  if (!['http', 'https', 'data', 'file'].includes(scheme)) throw new Error('net::ERR_UNKNOWN_URL_SCHEME')
  if (scheme === 'file') return new Response(new Uint8Array(await readFile(new URL(url))))
  const response = await fetch(input, init).catch((cause: Error) => {
    if (cause.name === 'AbortError' || cause.name === 'TimeoutError') throw cause
    throw new Error('net::ERR_FAILED')
  })
  const isRedirect = response.status >= 300 && response.status < 400 && response.headers.has('location')
  if (init?.redirect === 'manual' && isRedirect) throw new Error('Redirect was cancelled')
  return response
}

const standinNet = { fetch: netFetch }
knowsOnly<Unknown<typeof standinNet, Net>>()
export const net = strict('net', standinNet)
