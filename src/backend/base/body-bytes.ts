/** Reads a body. `arrayBuffer()` would copy it even if it is one chunk. */
export async function bodyBytes({ body }: Response): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  for await (const chunk of body ?? []) chunks.push(chunk)
  const [first, ...others] = chunks
  return first !== undefined && others.length === 0 ? first : Buffer.concat(chunks)
}
