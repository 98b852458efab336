import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

const ROOT = join(import.meta.dirname, '../../../..')
const SUPABASE = join(ROOT, 'node_modules/supabase/dist/supabase.js')

export interface ExitResult {
  code: number | null
  output: string
}

/** Runs a script with this Node in the project folder, with these environment variables. Returns its exit code and its combined output. */
export async function runScript(
  script: string,
  args: string[],
  env: Record<string, string> = {},
): Promise<ExitResult> {
  const child = spawn(process.execPath, ['--liftoff-only', script, ...args], {
    cwd: ROOT,
    env: { ...process.env, SUPABASE_TELEMETRY_DISABLED: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const code = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', resolve)
  })
  const [output, errors, exitCode] = await Promise.all([text(child.stdout), text(child.stderr), code])
  return { code: exitCode, output: output + errors }
}

/** Runs the Supabase CLI. */
export const runSupabase = (args: string[]) => runScript(SUPABASE, args)
