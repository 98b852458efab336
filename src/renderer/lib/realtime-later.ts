import type { RealtimeClientOptions } from '@supabase/realtime-js'

/**
 * Stands in for the realtime client that supabase-js makes at once, when the app is built (electron.vite.config.ts): no
 * page needs it before it shows something, and it would be 14 KB of every first load. Keeps what the true one is made
 * with until `loadRealtime` puts that in its place.
 */
export class RealtimeClient {
  readonly url: string
  readonly options: RealtimeClientOptions

  constructor(url: string, options: RealtimeClientOptions) {
    this.url = url
    this.options = options
  }

  /** Called whenever the session changes; the true client asks for its token by itself. */
  async setAuth(): Promise<void> {}
}
