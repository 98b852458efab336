import { describe, expect, test } from 'vitest'
import { readFilePart } from '#/backend/objects/file-part'

/** A request whose body arrives in chunks of this many bytes. */
function requestOf(type: string, body: string | Uint8Array, chunk = 7): Request {
  const bytes = typeof body === 'string' ? Buffer.from(body, 'latin1') : body
  let at = 0
  const stream = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      if (at < bytes.length) controller.enqueue(bytes.subarray(at, at + chunk))
      else controller.close()
      at += chunk
    },
  })
  const init = { method: 'POST', headers: { 'content-type': type }, body: stream, duplex: 'half' }
  return new Request('http://127.0.0.1/', init)
}

const form = (...parts: string[]) => `--B${parts.map((part) => `\r\n${part}\r\n--B`).join('')}--\r\n`
const FIELD = 'Content-Disposition: form-data; name="cacheControl"\r\n\r\n3600'
const fileOf = (content: string, type = 'image/webp') =>
  `Content-Disposition: form-data; name=""; filename="blob"\r\nContent-Type: ${type}\r\n\r\n${content}`

async function read({ headers, body }: Request) {
  const bodyChunks = (body ?? new ReadableStream<Uint8Array>()).values()
  const { type, content } = await readFilePart(headers.get('content-type') ?? '', bodyChunks)
  const chunks: Uint8Array[] = []
  for await (const chunk of content) chunks.push(chunk)
  return { type, text: Buffer.concat(chunks).toString('latin1') }
}

const readForm = (body: string, chunk?: number, type = 'multipart/form-data; boundary=B') =>
  read(requestOf(type, body, chunk))

describe('readFilePart', () => {
  test('reads a raw body with its declared type', async () => {
    expect(await read(requestOf('image/png', 'abc'))).toEqual({ type: 'image/png', text: 'abc' })
  })

  test.each([1, 2, 3, 5, 64, 10_000])('reads the file of a form in chunks of %i bytes', async (chunk) => {
    const content = `--B \r\n--\r\n--A\r\n-\r\r\n${'x'.repeat(500)}\r\n--`
    const body = form(FIELD, fileOf(content))
    expect(await readForm(body, chunk)).toEqual({ type: 'image/webp', text: content })
    expect(await readForm(body.slice(0, -2), chunk)).toEqual({ type: 'image/webp', text: content })
  })

  test('reads the form that fetch writes', async () => {
    const data = new FormData()
    data.append('cacheControl', '3600')
    data.append('', new Blob(['picture'], { type: 'image/webp' }))
    const request = new Request('http://127.0.0.1/', { method: 'POST', body: data })
    expect(await read(request)).toEqual({ type: 'image/webp', text: 'picture' })
  })

  test.each<[string, string]>([
    ['without parts', '--B--\r\n'],
    ['without a file', form(FIELD)],
    ['with two files', form(fileOf('a'), fileOf('b'))],
    ['with a field after the file', form(fileOf('a'), FIELD)],
    ['with text before its first part', `x\r\n${form(fileOf('a'))}`],
    ['with text after its end', `${form(fileOf('a'))}GET /`],
    ['with text right after its end', form(fileOf('a')).replace(/--\r\n$/, '--GET /')],
    ['that ends in its file', `--B\r\n${fileOf('abc')}`],
    ['that ends in its delimiter', `--B\r\n${fileOf('abc')}\r\n--B`],
    ['that ends in its headers', '--B\r\nContent-Disposition: form-data'],
    ['with many fields', form(...Array<string>(6).fill(FIELD), fileOf('a'))],
    ['with a huge field', form(FIELD + 'x'.repeat(9_000), fileOf('a'))],
    ['with huge headers', `--B\r\nX: ${'x'.repeat(9_000)}`],
    ['that is empty', ''],
  ])('refuses a form %s', async (_, body) => {
    await expect(readForm(body)).rejects.toMatchObject({ statusCode: '400', error: 'InvalidRequest' })
    await expect(readForm(body, 100_000)).rejects.toMatchObject({ error: 'InvalidRequest' })
  })

  test.each([
    'multipart/form-data',
    'multipart/form-data; boundary=',
    `multipart/form-data; boundary=${'x'.repeat(71)}`,
    'multipart/form-data; boundary=a b',
    'multipart/mixed; boundary=B',
    'multipart/form-data; boundary=B; boundary=C',
  ])('refuses %s', async (type) => {
    await expect(readForm(form(fileOf('a')), 7, type)).rejects.toMatchObject({ error: 'InvalidRequest' })
  })
})
