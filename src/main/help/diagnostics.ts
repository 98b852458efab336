import { open } from 'node:fs/promises'
import { redact } from '#/main/redact'
import type { BackendState, UpdateState } from '#/shared/bridge'

/** How much of the end of the log is included. */
const LOG_TAIL_BYTES = 16 * 1024

export interface Environment {
  /** How the app was installed (package-type.ts). */
  package: string
  /** The desktop and the kind of session, which Linux names; empty elsewhere. */
  desktop: string
  session: string
  hasSandbox: boolean
  isAccelerated: boolean
  /** Chromium's graphics features and their states. */
  graphics: Readonly<Record<string, string>>
  /** The key store of the system. On Linux Chromium chooses it by the name of the desktop, and it may be missing. */
  keyStore: string
}

export interface DiagnosticsParts {
  versions: { app: string; electron: string; chrome: string; node: string }
  system: { platform: string; release: string; arch: string; language: string }
  environment(): Promise<Environment>
  /** The kind of server, never its address. */
  serverKind(): string
  backend(): BackendState
  updates(): UpdateState
  logFile: string
  /** Redacted, because it usually contains the member's name. */
  home: string
}

/** The last complete lines of a file; empty if it cannot be read. */
async function readTail(path: string): Promise<string> {
  try {
    const file = await open(path, 'r')
    try {
      const { size } = await file.stat()
      const start = Math.max(0, size - LOG_TAIL_BYTES)
      const { buffer, bytesRead } = await file.read(Buffer.alloc(size - start), 0, size - start, start)
      const text = buffer.toString('utf8', 0, bytesRead)
      return start === 0 ? text : text.slice(text.indexOf('\n') + 1)
    } finally {
      await file.close()
    }
  } catch {
    return ''
  }
}

/** Redacts tokens, the home folder, email addresses and server names. */
export function redactPersonalData(text: string, home: string): string {
  const homes = home === '' ? [] : [home, home.replaceAll('\\', '/'), home.replaceAll('\\', '\\\\')]
  return redact(homes.reduce((line, path) => line.replaceAll(path, '~'), text))
    .replace(/[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g, '[email]')
    .replace(/https?:\/\/(?!127\.0\.0\.1|localhost|\[::1\])[^\s/"')]+/g, 'https://[server]')
}

/**
 * The text for a problem report: versions, system, states and the end of the log. Contains nothing that members wrote.
 */
export async function readDiagnostics(parts: DiagnosticsParts): Promise<string> {
  const { versions, system } = parts
  const backend = parts.backend()
  const environment = await parts.environment()
  const graphics = Object.entries(environment.graphics).map(([feature, state]) => `${feature} ${state}`)
  const lines = [
    `Vignette ${versions.app}`,
    `Electron ${versions.electron}, Chromium ${versions.chrome}, Node ${versions.node}`,
    `${system.platform} ${system.release} ${system.arch}, ${system.language}`,
    `Package: ${environment.package}, sandbox ${environment.hasSandbox ? 'on' : 'off'}`,
    ...(environment.desktop === '' && environment.session === ''
      ? []
      : [`Desktop: ${environment.desktop || 'unknown'}, session ${environment.session || 'unknown'}`]),
    `Graphics: acceleration ${environment.isAccelerated ? 'on' : 'off'}; ${graphics.join(', ')}`,
    `Key store: ${environment.keyStore}`,
    `Server: ${parts.serverKind()}, backend ${backend.state}`,
    `Updates: ${parts.updates().state}`,
    '',
    await readTail(parts.logFile),
  ]
  return redactPersonalData(lines.join('\n'), parts.home)
}
