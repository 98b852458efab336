/** Messages between the app and the test; values are structured-cloned. */
export type WireMessage =
  | { wire: 'ask'; id: number; name: string; args: unknown[] }
  | { wire: 'answer'; id: number; ok: true; value: unknown }
  | { wire: 'answer'; id: number; ok: false; message: string }

/** The functions that one end exposes. */
export type Served = Record<string, (...args: never[]) => unknown>

/** The other end's functions; each returns a promise. */
export type Asked<S> = {
  [Name in keyof S]: S[Name] extends (...args: infer A) => infer R
    ? (...args: A) => Promise<Awaited<R>>
    : never
}

/** The app has exited and replies to nothing. */
export class AppEnded extends Error {
  override readonly name = 'AppEnded'
}

export interface Wire {
  take(message: unknown): void
  ask(name: string, args: unknown[]): Promise<unknown>
  /** Rejects every pending and later call with this error. */
  cut(cause: Error): void
}

/** One end of a connection between two processes. It calls the other end and serves its own functions. */
export function createWire(send: (message: WireMessage) => void, served: Served): Wire {
  let last = 0
  let cutBy: Error | null = null
  const open = new Map<number, { resolve(value: unknown): void; reject(cause: Error): void }>()

  async function serve(name: string, args: unknown[]): Promise<unknown> {
    const action = served[name] as ((...args: unknown[]) => unknown) | undefined
    if (action === undefined) throw new Error(`nothing is served as '${name}'`)
    return action(...args)
  }

  return {
    take: (received) => {
      const message = received as WireMessage
      if (message.wire === 'ask') {
        const { id } = message
        serve(message.name, message.args).then(
          (value) => send({ wire: 'answer', id, ok: true, value }),
          (cause: unknown) => send({ wire: 'answer', id, ok: false, message: String(cause) }),
        )
        return
      }
      const question = open.get(message.id)
      open.delete(message.id)
      if (message.ok) question?.resolve(message.value)
      else question?.reject(new Error(message.message))
    },
    ask: (name, args) =>
      new Promise((resolve, reject) => {
        if (cutBy !== null) return reject(cutBy)
        const id = ++last
        open.set(id, { resolve, reject })
        send({ wire: 'ask', id, name, args })
      }),
    cut: (cause) => {
      cutBy = cause
      for (const { reject } of open.values()) reject(cause)
      open.clear()
    },
  }
}

/** A proxy for the other end's functions. Unknown ones reject when called. */
export function askedThrough<S>(wire: Pick<Wire, 'ask'>): Asked<S> {
  return new Proxy({} as Asked<S>, {
    get: (_target, name) =>
      // `await` looks for `then`.
      typeof name === 'string' && name !== 'then' ? (...args: unknown[]) => wire.ask(name, args) : undefined,
  })
}
