import { streamOf } from '#/backend/stream-of'

/** Makes this thread's responses keep the bytes they are made of: Node's Response copies them. */
export function avoidResponseCopies(): void {
  globalThis.Response = class extends Response {
    constructor(body?: BodyInit | null, init?: ResponseInit) {
      super(body instanceof Uint8Array ? streamOf(body) : body, init)
    }
  }
}
