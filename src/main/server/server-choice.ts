import * as z from 'zod/mini'
import type { DocumentFile } from '#/main/files/document-file'
import type { HandlersOf } from '#/main/ipc'
import type { Log } from '#/main/log'
import { texts } from '#/main/texts'
import type { RunningBackend } from '#/shared/backend-messages'
import { BridgeError } from '#/shared/bridge-error'
import type { ServerAddress, ServerCheck, ServerInfo } from '#/shared/server'
import { EMBEDDED_KEY, parseServerUrl, storageKeyOf } from '#/shared/server'
import { serverAddressSchema } from '#/shared/server-address'

/** server.json: the server that the member chose, if any, and the last port of the embedded one. A newer version may add to it. */
export const serverFileSchema = z.object({
  chosen: z.nullable(serverAddressSchema),
  lastPort: z.catch(z.nullable(z.int().check(z.minimum(1), z.maximum(65_535))), null),
})

export type ServerFile = z.infer<typeof serverFileSchema>
export const NO_SERVER: ServerFile = { chosen: null, lastPort: null }

/** A fixed server from the environment or from the build. */
export interface ServerSettings {
  url: string | undefined
  publishableKey: string | undefined
}

/** Returns the first complete and valid settings, or null. Invalid ones are logged and skipped. */
export function fixedServer(
  settings: readonly ServerSettings[],
  log: Pick<Log, 'warn'>,
): ServerAddress | null {
  for (const { url, publishableKey } of settings) {
    if (!url && !publishableKey) continue
    if (!url || !publishableKey) {
      log.warn('a fixed server needs both SUPABASE_URL and SUPABASE_PUBLISHABLE_KEY; ignored')
      continue
    }
    const parsed = parseServerUrl(url)
    if (parsed.ok) return { url: parsed.url, publishableKey: publishableKey.trim() }
    log.warn(`SUPABASE_URL cannot be used (${parsed.problem}); ignored`)
  }
  return null
}

export interface ServerChoiceParts {
  fixed: ServerAddress | null
  file: DocumentFile<ServerFile>
  check(address: ServerAddress): Promise<ServerCheck>
  embedded: {
    prepare(): Promise<void>
    url(): string
    start(): void
    running(): Promise<RunningBackend>
    stop(): Promise<void>
  }
  /** Loads the app's first page with the new server's policy. */
  loadHome(): void
  log: Pick<Log, 'warn'>
}

export interface ServerChoice {
  handlers: HandlersOf<'server'>
  /** Starts the embedded backend if it is the current server. Call before `url`. */
  start(): Promise<void>
  /** URL of the current server, for the policy. */
  url(): string
  /** As in `ServerInfo`. */
  storageKey(): string
  kind(): ServerInfo['kind']
  /** Whether the embedded server is used although the member may have chosen another, because the file cannot be used. */
  isChoiceLost(): boolean
}

/** Selects the server: the fixed one, else the member's choice, else the embedded one. */
export function createServerChoice(parts: ServerChoiceParts): ServerChoice {
  const { fixed, file, embedded, log } = parts

  /**
   * The current remote server, or null for the embedded one. Validates the URL, because the file may have been edited.
   */
  function remote(): ServerAddress | null {
    if (fixed !== null) return fixed
    const { chosen } = file.read()
    if (chosen === null) return null
    const parsed = parseServerUrl(chosen.url)
    return parsed.ok ? { ...chosen, url: parsed.url } : null
  }

  const url = () => remote()?.url ?? embedded.url()
  async function startEmbedded(): Promise<void> {
    await embedded.prepare()
    embedded.start()
  }

  function refuseIfFixed(): void {
    if (fixed !== null) throw new BridgeError('fixed-server', texts.server.fixed)
  }

  async function current(): Promise<ServerInfo> {
    const address = remote()
    if (address !== null) {
      const kind = fixed === null ? 'chosen' : 'fixed'
      return { ...address, kind, storageKey: storageKeyOf(address), demo: [], mailFile: null }
    }
    const { publishableKey, demo, mailFile } = await embedded.running()
    return { kind: 'embedded', storageKey: EMBEDDED_KEY, url: embedded.url(), publishableKey, demo, mailFile }
  }

  const storageKey = () => {
    const address = remote()
    return address === null ? EMBEDDED_KEY : storageKeyOf(address)
  }

  return {
    url,
    storageKey,
    kind: () => {
      if (fixed !== null) return 'fixed'
      return remote() === null ? 'embedded' : 'chosen'
    },
    isChoiceLost: () => remote() === null && (file.isDamaged || file.read().chosen !== null),
    start: async () => {
      if (remote() === null) await startEmbedded()
    },
    handlers: {
      'server.storageKey': storageKey,
      'server.current': current,
      'server.check': (address) => parts.check(address),
      'server.connect': async (address) => {
        refuseIfFixed()
        const checked = await parts.check(address)
        if (!checked.ok) return checked
        file.write({ ...file.read(), chosen: checked.address })
        embedded.stop().catch((cause: unknown) => log.warn('backend did not stop', cause))
        parts.loadHome()
        return checked
      },
      'server.useEmbedded': async () => {
        refuseIfFixed()
        await startEmbedded()
        file.write({ ...file.read(), chosen: null })
        parts.loadHome()
      },
    },
  }
}
