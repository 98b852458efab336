/** A stream with one chunk: a Response copies a buffer. */
export function streamOf(body: Uint8Array): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (controller) => {
      controller.enqueue(body)
      controller.close()
    },
  })
}
