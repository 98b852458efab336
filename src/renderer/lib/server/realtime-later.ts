import type { RealtimeClientOptions } from '@supabase/realtime-js'

/**
 * Replaces the realtime client of supabase-js in the build (electron.vite.config.ts). supabase-js creates it
 * immediately, but no page needs it before it shows content, and it would add 14 KB to every first load. Stores the
 * constructor's arguments until `loadRealtime` swaps in the real client.
 */
export class RealtimeClient {
  readonly url: string
  readonly options: RealtimeClientOptions

  constructor(url: string, options: RealtimeClientOptions) {
    this.url = url
    this.options = options
  }

  /** Called on every session change. The real client reads the token itself. */
  async setAuth(): Promise<void> {}
}
