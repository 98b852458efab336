/** A stream of one chunk. A Response made of a buffer would copy it. */
export function streamOf(body: Uint8Array): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (controller) => {
      controller.enqueue(body)
      controller.close()
    },
  })
}
