// @ts-check
// `node tests/supabase/hosted/apply-storage.mjs FOLDER URL`: applies the migrations of Supabase Storage to an imitation of a hosted
// project, as Storage does when it starts. README.md in this folder says when.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import postgres from 'postgres'

const [folder, url] = process.argv.slice(2)
if (folder === undefined || url === undefined) {
  console.error(
    'Usage: node tests/supabase/hosted/apply-storage.mjs FOLDER postgresql://supabase_storage_admin@…',
  )
  process.exit(2)
}

/** Storage's defaults for its own platform. */
const SETTINGS = {
  'storage.install_roles': 'false',
  'storage.multitenant': 'true',
  'storage.anon_role': 'anon',
  'storage.authenticated_role': 'authenticated',
  'storage.service_role': 'service_role',
  'storage.super_user': 'supabase_storage_admin',
  'storage.iceberg_default_shard': '',
  'storage.iceberg_shards': '{}',
  'storage.vector_bucket_provider': 's3',
}

const sql = postgres(url, { max: 1, onnotice: () => undefined })
try {
  await sql`set search_path to storage, public, extensions`
  for (const [name, value] of Object.entries(SETTINGS)) await sql`select set_config(${name}, ${value}, false)`
  // The numbers of two files have another number of digits, so names do not sort.
  const files = (await readdir(folder))
    .filter((file) => /^\d+-.+\.sql$/.test(file))
    .toSorted((one, other) => Number.parseInt(one, 10) - Number.parseInt(other, 10))
  for (const file of files) {
    const text = await readFile(join(folder, file), 'utf8')
    if (text.includes('-- postgres-migrations ignore')) continue
    const isAlone = text.includes('-- postgres-migrations disable-transaction')
    await (isAlone ? sql.unsafe(text) : sql.begin((tx) => tx.unsafe(text))).catch((error) => {
      throw new Error(`${file}: ${error.message}`)
    })
  }
  const [objects] = await sql`select to_regclass('storage.objects') is not null as found`
  if (objects?.found !== true)
    throw new Error(`${folder} does not contain the migrations of Storage's tenants`)
  console.log(`Applied ${files.length} migrations of Storage.`)
} finally {
  await sql.end()
}
