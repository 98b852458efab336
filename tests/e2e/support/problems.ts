import { setTimeout as sleep } from 'node:timers/promises'
import type { BrowserContext, ConsoleMessage, WebError } from '@playwright/test'
import type { TestServer } from './server'

/** How long expected problems may take after the test has finished, in milliseconds. */
const PATIENCE_MS = 10_000

/**
 * Problems of a page: console errors (including failed requests and CSP violations), uncaught errors and
 * unhandled rejections. A test fails for each unexpected problem, and for each expected one that does not occur.
 */
export class Problems {
  readonly #seen: string[] = []
  readonly #expected: RegExp[] = []
  readonly #allowed: RegExp[] = []
  #hasStopped = false

  readonly #watched: BrowserContext[] = []
  readonly #servers: Pick<TestServer, 'takeNotServed'>[] = []

  readonly #onConsole = (message: ConsoleMessage): void => {
    if (this.#hasStopped || message.type() !== 'error') return
    const { url } = message.location()
    this.#seen.push(url === '' ? message.text() : `${message.text()} [${url}]`)
  }

  readonly #onError = (webError: WebError): void => {
    if (this.#hasStopped) return
    const error = webError.error()
    this.#seen.push(`uncaught: ${error.stack ?? error.message}`)
  }

  watch(context: BrowserContext): void {
    this.#watched.push(context)
    context.on('console', this.#onConsole)
    context.on('weberror', this.#onError)
  }

  /** Removes the listeners: contexts are reused by other tests. */
  unwatch(): void {
    for (const context of this.#watched.splice(0)) {
      context.off('console', this.#onConsole)
      context.off('weberror', this.#onError)
    }
  }

  /** Expects matching problems, one or more. The text includes the address of a request, in brackets. */
  expect(...patterns: RegExp[]): void {
    this.#expected.push(...patterns)
  }

  /** Allows matching problems: which requests fail in an outage depends on when it starts and ends. */
  allow(...patterns: RegExp[]): void {
    this.#allowed.push(...patterns)
  }

  /** Also counts requests that this server does not serve as problems. */
  watchServer(server: Pick<TestServer, 'takeNotServed'>): void {
    this.#servers.push(server)
  }

  /** Ignores later problems: the test is over, and its server stops while pages are open. */
  stop(): void {
    this.#hasStopped = true
  }

  /** Counts problems again. */
  resume(): void {
    this.#hasStopped = false
  }

  /**
   * Resolves once all expected problems have arrived, or after a timeout. Call it before a page is reloaded or closed,
   * because such a page reports nothing.
   */
  async arrived(): Promise<void> {
    const end = Date.now() + PATIENCE_MS
    while (this.#missing().length > 0 && Date.now() < end) await sleep(20)
  }

  /** The unexpected problems, and the expected ones that did not occur. */
  verdict(): string[] {
    this.#readServers()
    const known = [...this.#expected, ...this.#allowed]
    const surprises = this.#seen.filter((text) => !known.some((pattern) => pattern.test(text)))
    return [...surprises, ...this.#missing().map((pattern) => `expected, but never seen: ${pattern}`)]
  }

  #missing(): RegExp[] {
    this.#readServers()
    return this.#expected.filter((pattern) => !this.#seen.some((text) => pattern.test(text)))
  }

  #readServers(): void {
    this.#seen.push(...this.#servers.flatMap((server) => server.takeNotServed()))
  }
}
