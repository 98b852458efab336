import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

const ROOT = join(import.meta.dirname, '../../../..')
const SUPABASE = join(ROOT, 'node_modules/supabase/dist/supabase.js')

export interface Ended {
  code: number | null
  output: string
}

/** Runs a short-lived script with this Node from the project's folder; gives how it ended and all it said. */
export async function runScript(script: string, args: string[]): Promise<Ended> {
  const child = spawn(process.execPath, ['--liftoff-only', script, ...args], {
    cwd: ROOT,
    env: { ...process.env, SUPABASE_TELEMETRY_DISABLED: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const code = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', resolve)
  })
  const [output, complaints, ended] = await Promise.all([text(child.stdout), text(child.stderr), code])
  return { code: ended, output: output + complaints }
}

/** Runs the Supabase command line. */
export const runSupabase = (args: string[]) => runScript(SUPABASE, args)
