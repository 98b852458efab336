// @ts-check
// `npm run objects -- URL`: removes from a Supabase project the pictures and videos that closed accounts have left (docs/self-hosting.md).
// SUPABASE_SECRET_KEY is the project's secret key; it is sent to the project only and stored nowhere.
const [url] = process.argv.slice(2)
const key = process.env.SUPABASE_SECRET_KEY
if (url === undefined || !URL.canParse(url) || !key) {
  console.error('Usage: SUPABASE_SECRET_KEY=… npm run objects -- https://YOUR-PROJECT.supabase.co')
  process.exit(2)
}

/**
 * Resolves with the parsed answer; throws an error that says what the project answered.
 * @param {string} method
 * @param {string} path
 * @param {object} body
 * @returns {Promise<Record<string, string>[]>}
 */
async function ask(method, path, body) {
  const response = await fetch(new URL(path, url), {
    method,
    headers: {
      apikey: String(key),
      // Keys from before 2025 are tokens too; the newer ones must not be sent as such.
      ...(key?.startsWith('sb_') ? {} : { authorization: `Bearer ${key}` }),
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
    redirect: 'error',
    signal: AbortSignal.timeout(60_000),
  })
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
  return response.json()
}

let removed = 0
try {
  for (;;) {
    const waiting = await ask('POST', '/rest/v1/rpc/waiting_objects', { most: 100 })
    if (waiting.length === 0) break
    const gone = await ask('DELETE', '/storage/v1/object/media', {
      prefixes: waiting.map(({ name }) => name),
    })
    if (gone.length === 0) throw new Error('Storage removed none of the objects.')
    removed += gone.length
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
console.log(`${removed} objects of closed accounts were removed.`)
