import { EventEmitter } from 'node:events'
import { appendFileSync } from 'node:fs'

const noted = new Set<string>()

function note(line: string): void {
  const { STANDIN_EVENTS: file } = process.env
  if (file === undefined || noted.has(line)) return
  noted.add(line)
  appendFileSync(file, `${line}\n`)
}

/** The event object of listeners that may prevent the default action. */
export class PreventableEvent {
  defaultPrevented = false
  preventDefault(): void {
    this.defaultPrevented = true
  }
}

/** An emitter that records which events the app listens to and which were emitted. */
export class StandinEmitter extends EventEmitter {
  readonly #kind: string

  constructor(kind: string) {
    super()
    this.#kind = kind
  }

  override on(event: string | symbol, listener: (...args: never[]) => void): this {
    note(`listens ${this.#kind} ${String(event)}`)
    return super.on(event, listener as (...args: unknown[]) => void)
  }

  override once(event: string | symbol, listener: (...args: never[]) => void): this {
    note(`listens ${this.#kind} ${String(event)}`)
    return super.once(event, listener as (...args: unknown[]) => void)
  }

  override removeAllListeners(event?: string | symbol): this {
    note(`stops ${this.#kind} ${String(event)}`)
    return super.removeAllListeners(event)
  }

  override emit(event: string | symbol, ...args: unknown[]): boolean {
    note(`emits ${this.#kind} ${String(event)}`)
    return super.emit(event, ...args)
  }
}

/** The lifecycle of the stand-in's app; many Electron APIs throw before `ready`. */
let isReady = false

export function becomeReady(): void {
  isReady = true
}

export function hasBecomeReady(): boolean {
  return isReady
}

/** Throws like Electron when an API is used too early. */
export function requireReady(what: string): void {
  if (!isReady) throw new Error(`${what} cannot be used before app is ready`)
}

/** The key, if its parameters do not accept Electron's arguments. */
type Misfit<Standin, Real, Key extends keyof Standin & keyof Real> = Real[Key] extends (
  ...args: infer Arguments
) => unknown
  ? Standin[Key] extends (...args: Arguments) => unknown
    ? never
    : Key
  : never

/**
 * The names of a stand-in that do not match Electron's type; must be `never`. Catches misspelt or removed APIs, and
 * methods that do not accept Electron's arguments. EventEmitter methods are excluded, because Electron overloads them
 * per event.
 */
export type Unknown<Standin, Real, Own extends string = never> =
  | Exclude<keyof Standin, keyof Real | Own>
  | {
      [Key in Exclude<keyof Standin & keyof Real, keyof EventEmitter | Own>]: Misfit<Standin, Real, Key>
    }[Exclude<keyof Standin & keyof Real, keyof EventEmitter | Own>]

/** Compiles only for `never`. */
export function knowsOnly<T extends never>(_proof?: T): void {}

const classes = new WeakSet<object>()

function isClass(found: object): boolean {
  return classes.has(found) || Function.prototype.toString.call(found).startsWith('class')
}

/** A class whose instances and statics throw for names that the stand-in lacks. */
export function strictClass<C extends new (...args: never[]) => object>(name: string, value: C): C {
  const guarded = new Proxy(strict(name, value), {
    construct: (target, args, newTarget) => strict(name, Reflect.construct(target, args, newTarget)),
  })
  classes.add(guarded)
  return guarded
}

/** Wraps the value so that missing names throw instead of returning `undefined`. */
export function strict<T extends object>(name: string, value: T): T {
  return new Proxy(value, {
    get(target, key) {
      // Promises and module loaders probe for these.
      if (key in target || typeof key === 'symbol' || key === 'then' || key === '__esModule') {
        const found: unknown = Reflect.get(target, key, target)
        // A bound class would lose its static members.
        return typeof found === 'function' && !isClass(found) ? found.bind(target) : found
      }
      throw new Error(`the electron stand-in has no ${name}.${key}`)
    },
  })
}
