// @ts-check
// `npm run connect-check -- URL KEY`: lists what a Supabase project is missing, and how to fix it. SUPABASE_ACCESS_TOKEN, if it is set, is
// used to read whether the project has a mail server.
import { checkConnection, formatFinding } from './lib/connect-check.mjs'

const [url, key] = process.argv.slice(2)
if (url === undefined || key === undefined) {
  console.error('Usage: npm run connect-check -- https://YOUR-PROJECT.supabase.co YOUR-PUBLISHABLE-KEY')
  process.exit(2)
}
const findings = await checkConnection({ url, publishableKey: key }, process.env.SUPABASE_ACCESS_TOKEN)
for (const finding of findings) console.log(formatFinding(finding))
if (findings.some(({ state }) => state === 'missing')) process.exitCode = 1
