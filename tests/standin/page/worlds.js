// Runs in the page before its own scripts, in two worlds as with contextIsolation: `pageWorld` is the page's main
// world, `preloadWorld` the preload's isolated world. They share only the document, and event details are copied when
// the other world reads them. windows.ts injects the source text of these functions, so each must be self-contained.

/**
 * Imitates Electron's contextBridge: functions cross by reference, promises as promises, errors by their message,
 * everything else as a copy.
 * @param {string} own name of the events that this world receives
 * @param {string} other name of the events that the other world receives
 * @param {(message: { expose?: [string, unknown], isFocused?: boolean }) => void} [take] handles other messages
 */
export function createCrossing(own, other, take) {
  const MAX_DEPTH = 1000
  let last = 0
  /** Functions that the other world may call, by number. */
  const functions = new Map()
  /** Results of pending calls. Events are synchronous, so they are set when dispatchEvent returns. */
  const answers = new Map()
  /** Pending promises of the other world. */
  const unsettled = new Map()

  const tell = (message) => document.dispatchEvent(new CustomEvent(other, { detail: message }))

  function pack(value, depth = 0) {
    if (depth > MAX_DEPTH) {
      throw new TypeError(
        'Electron contextBridge recursion depth exceeded.  Nested objects deeper than 1000 are not supported.',
      )
    }
    if (typeof value === 'function') {
      const id = ++last
      functions.set(id, value)
      return { kind: 'function', id }
    }
    if (value instanceof Promise) {
      const id = ++last
      value.then(
        (result) => tell({ settled: id, value: pack(result) }),
        (cause) => tell({ settled: id, error: pack(cause) }),
      )
      return { kind: 'promise', id }
    }
    if (value instanceof Error) return { kind: 'error', message: value.message }
    if (Array.isArray(value)) return { kind: 'array', items: value.map((item) => pack(item, depth + 1)) }
    if (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype) {
      const entries = Object.entries(value).map(([key, item]) => [key, pack(item, depth + 1)])
      return { kind: 'object', entries }
    }
    return { kind: 'copy', value: structuredClone(value) }
  }

  function unpack(packed) {
    if (packed.kind === 'function') return (...args) => call(packed.id, args)
    if (packed.kind === 'promise') {
      return new Promise((resolve, reject) => unsettled.set(packed.id, { resolve, reject }))
    }
    if (packed.kind === 'error') return new Error(packed.message)
    if (packed.kind === 'array') return packed.items.map(unpack)
    if (packed.kind === 'object') {
      return Object.fromEntries(packed.entries.map(([key, item]) => [key, unpack(item)]))
    }
    return packed.value
  }

  function call(id, args) {
    const ticket = ++last
    tell({ call: id, ticket, args: args.map((arg) => pack(arg)) })
    const answer = answers.get(ticket)
    answers.delete(ticket)
    if (answer === undefined) throw new Error('the other world did not answer')
    if (answer.error !== undefined) throw unpack(answer.error)
    return unpack(answer.value)
  }

  function answerCall({ call: id, ticket, args }) {
    try {
      tell({ answered: ticket, value: pack(functions.get(id)(...args.map(unpack))) })
    } catch (cause) {
      tell({ answered: ticket, error: pack(cause) })
    }
  }

  document.addEventListener(own, (event) => {
    const message = /** @type {CustomEvent} */ (event).detail
    if (message.call !== undefined) answerCall(message)
    else if (message.answered !== undefined) answers.set(message.answered, message)
    else if (message.settled !== undefined) {
      const promise = unsettled.get(message.settled)
      unsettled.delete(message.settled)
      if (message.error !== undefined) promise.reject(unpack(message.error))
      else promise.resolve(unpack(message.value))
    } else take?.(message)
  })
  return { pack, unpack, tell }
}

/** The page's side: receives the exposed API, frozen, and is focused only while its window is. */
export function pageWorld() {
  let isFocused = false
  Document.prototype.hasFocus = () => isFocused

  function frozen(value) {
    if (typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)) {
      Object.values(value).forEach(frozen)
      Object.freeze(value)
    }
    return value
  }

  const { unpack } = createCrossing('standin-page', 'standin-preload', (message) => {
    if (message.expose !== undefined) {
      const [key, packed] = message.expose
      if (key in window) {
        throw new Error('Cannot bind an API on top of an existing property on the window object')
      }
      Object.defineProperty(window, key, { value: frozen(unpack(packed)), enumerable: true })
    } else if (message.isFocused !== undefined && message.isFocused !== isFocused) {
      isFocused = message.isFocused
      window.dispatchEvent(new Event(isFocused ? 'focus' : 'blur'))
    }
  })
}

/**
 * The preload's side, with the used part of Electron's sandboxed preload modules.
 * @param {(...parameters: unknown[]) => void} preload the built preload as the body of this function
 * @param {{ platform: string }} host
 */
export function preloadWorld(preload, { platform }) {
  const { pack, tell } = createCrossing('standin-preload', 'standin-page')
  const toMain = globalThis.standinToMain
  /** @type {Map<number, { resolve: (value: unknown) => void, reject: (cause: Error) => void, channel: string }>} */
  const waiting = new Map()
  /** @type {Map<string, Set<(event: object, ...args: unknown[]) => void>>} */
  const listeners = new Map()
  const exposed = new Set()
  let last = 0

  /** A fake must not return `undefined`. */
  const strict = (name, value) =>
    new Proxy(value, {
      get(target, key) {
        if (key in target || typeof key === 'symbol') return target[key]
        throw new Error(`the electron stand-in has no ${name}.${key} in preloads`)
      },
    })

  // The format of values.ts: JSON with markers for undefined and bytes.
  function encode(value) {
    if (value === undefined) return { is: 'undefined' }
    if (value instanceof Uint8Array) return { is: 'bytes', base64: value.toBase64() }
    if (Array.isArray(value)) return value.map(encode)
    if (typeof value !== 'object' || value === null) return value
    if (Object.getPrototypeOf(value) !== Object.prototype) {
      throw new Error('the electron stand-in carries plain values and bytes only')
    }
    return { is: 'object', of: Object.entries(value).map(([key, item]) => [key, encode(item)]) }
  }

  function decode(value) {
    if (Array.isArray(value)) return value.map(decode)
    if (typeof value !== 'object' || value === null) return value
    if (value.is === 'undefined') return undefined
    if (value.is === 'bytes') return Uint8Array.fromBase64(value.base64)
    return Object.fromEntries(value.of.map(([key, item]) => [key, decode(item)]))
  }

  const electron = strict('module', {
    contextBridge: strict('contextBridge', {
      exposeInMainWorld: (key, api) => {
        // Exceptions of the page's side never get here.
        if (exposed.has(key)) {
          throw new Error('Cannot bind an API on top of an existing property on the window object')
        }
        exposed.add(key)
        tell({ expose: [key, pack(api)] })
      },
    }),
    ipcRenderer: strict('ipcRenderer', {
      invoke: (channel, ...args) =>
        new Promise((resolve, reject) => {
          const id = ++last
          waiting.set(id, { resolve, reject, channel })
          toMain(JSON.stringify({ id, channel, args: encode(structuredClone(args)) }))
        }),
      on: (channel, listener) => {
        listeners.set(channel, (listeners.get(channel) ?? new Set()).add(listener))
      },
      removeListener: (channel, listener) => {
        listeners.get(channel)?.delete(listener)
      },
    }),
  })

  /** Messages from main; called by windows.ts. */
  globalThis.standinFromMain = {
    answer: (id, reply) => {
      const { resolve, reject, channel } = waiting.get(id)
      waiting.delete(id)
      if (reply.ok) resolve(decode(reply.value))
      else reject(new Error(`Error invoking remote method '${channel}': ${reply.message}`))
    },
    send: (channel, args) => {
      for (const listener of listeners.get(channel) ?? []) listener({}, ...decode(args))
    },
    focus: (hasFocus) => tell({ isFocused: hasFocus }),
  }

  const require = (id) => {
    const name = id.replace(/^node:/, '')
    if (name === 'electron' || name === 'electron/common' || name === 'electron/renderer') return electron
    // Available to preloads, but unused by ours.
    if (name === 'events' || name === 'timers' || name === 'url') {
      throw new Error(`the electron stand-in has no ${name} in preloads`)
    }
    throw new Error(`module not found: ${id}`)
  }
  const process = strict('process', {
    type: 'renderer',
    platform,
    sandboxed: true,
    contextIsolated: true,
    versions: {},
    env: {},
  })
  const module = { exports: {} }
  const setImmediate = (task, ...args) => setTimeout(task, 0, ...args)
  preload(
    require,
    process,
    module.exports,
    module,
    strict('Buffer', {}),
    globalThis,
    setImmediate,
    clearTimeout,
  )
}
