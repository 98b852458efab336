import { EventEmitter } from 'node:events'
import { appendFileSync } from 'node:fs'

const noted = new Set<string>()

function note(line: string): void {
  const { STANDIN_EVENTS: file } = process.env
  if (file === undefined || noted.has(line)) return
  noted.add(line)
  appendFileSync(file, `${line}\n`)
}

/** An emitter that writes down what the app listens to and what was emitted, for tests that compare the two. */
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

/** Where the stand-in's app is in its life; much of Electron throws before `ready`. */
let isReady = false

export function becomeReady(): void {
  isReady = true
}

export function hasBecomeReady(): boolean {
  return isReady
}

/** Throws as Electron does when an API is used too early. */
export function requireReady(what: string): void {
  if (!isReady) throw new Error(`${what} cannot be used before app is ready`)
}

/** The key, if Electron calls it with arguments that the stand-in does not take. */
type Misfit<Standin, Real, Key extends keyof Standin & keyof Real> = Real[Key] extends (
  ...args: infer Arguments
) => unknown
  ? Standin[Key] extends (...args: Arguments) => unknown
    ? never
    : Key
  : never

/**
 * The names of a stand-in that do not fit Electron's type, which must be `never`: a misspelt or removed API, or a method that does
 * not take Electron's arguments. EventEmitter's methods, which Electron overloads for each event, are left out.
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

/** The class whose instances and statics throw on the names that the stand-in lacks. */
export function strictClass<C extends new (...args: never[]) => object>(name: string, value: C): C {
  const guarded = new Proxy(strict(name, value), {
    construct: (target, args, newTarget) => strict(name, Reflect.construct(target, args, newTarget)),
  })
  classes.add(guarded)
  return guarded
}

/** Hands back the value, but throws on the names that the stand-in lacks: a fake must not answer `undefined`. */
export function strict<T extends object>(name: string, value: T): T {
  return new Proxy(value, {
    get(target, key) {
      // Promises and module loaders probe for these.
      if (key in target || typeof key === 'symbol' || key === 'then' || key === '__esModule') {
        const found: unknown = Reflect.get(target, key, target)
        // A bound class would lose what is static.
        return typeof found === 'function' && !isClass(found) ? found.bind(target) : found
      }
      throw new Error(`the electron stand-in has no ${name}.${key}`)
    },
  })
}
