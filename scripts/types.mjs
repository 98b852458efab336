// @ts-check
// `npm run types`: writes src/shared/database.types.ts from the migrations, with the Supabase command line's own
// generator and neither Docker nor a server. `-- --check` fails when the committed file is stale.
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { writeOrCheck } from './lib/generated-file.mjs'
import { withMigratedDatabase } from './lib/migrated-database.mjs'
import { ROOT } from './lib/paths.mjs'
import { toolPath } from './lib/tools.mjs'

const HEADER = '/** Generated from supabase/migrations by `npm run types`. Do not edit. */\n'

/**
 * Pipes `input` through an installed package's command; gives what it prints, rejects with its complaints.
 * @param {string} packageName
 * @param {string[]} args
 * @param {string} [input]
 */
async function pipeTool(packageName, args, input = '') {
  const child = spawn(process.execPath, [toolPath(packageName), ...args], {
    cwd: ROOT,
    env: { ...process.env, SUPABASE_TELEMETRY_DISABLED: '1' },
    stdio: 'pipe',
  })
  child.stdin.end(input)
  const exited = new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', resolve)
  })
  const [output, complaints, code] = await Promise.all([text(child.stdout), text(child.stderr), exited])
  if (code !== 0) throw new Error(`${packageName} ended with ${code}:\n${complaints}`)
  return output
}

const generated = await withMigratedDatabase((pg, { withConnectionUrl }) =>
  withConnectionUrl(pg, (url) =>
    pipeTool('supabase', ['gen', 'types', 'typescript', '--remote', url, '--schema', 'public']),
  ),
)
// Under a name that biome.json does not leave out.
const formatted = await pipeTool(
  '@biomejs/biome',
  ['format', '--stdin-file-path=src/shared/generated.ts'],
  HEADER + generated,
)
writeOrCheck('src/shared/database.types.ts', formatted, 'npm run types')
