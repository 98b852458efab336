import { streamOf } from '#/backend/base/stream-of'

/** Replaces this thread's Response, because Node's copies the bytes of its body. */
export function avoidResponseCopies(): void {
  globalThis.Response = class extends Response {
    constructor(...[body, init]: ConstructorParameters<typeof Response>) {
      super(body instanceof Uint8Array ? streamOf(body) : body, init)
    }
  }
}
