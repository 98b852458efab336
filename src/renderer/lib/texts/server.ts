import { isolate } from '#/shared/bidi'
import type { ServerProblem } from '#/shared/server'

const serverProblems: Record<ServerProblem, string> = {
  url: 'That is not a server address. It looks like https://example.supabase.co.',
  insecure: 'Only https addresses can be used; http is for this computer alone.',
  unreachable: 'No answer from that address. Check it, and your connection.',
  redirect:
    'Something answers there, but it sends the app on to another address. Enter that address instead.',
  'not-supabase': 'Something answers there, but it is not a Supabase server.',
  key: 'The server does not accept this key.',
  schema: 'The server answers, but it is not set up for Vignette yet: its migrations are missing.',
  outdated: 'The server runs an older version of Vignette. Ask its operator to apply the newer migrations.',
  app: 'This server needs a newer Vignette.',
  changes: 'The server does not send live updates: its database has no function realtime.send.',
  channels:
    'The server’s Realtime is not set up for Vignette: the policies of its private channels are missing.',
  storage:
    'This server cannot store pictures and videos yet. Ask its operator. Texts can be written and read.',
}

export const server = {
  connect: 'Connect to a server…',
  connectedTo: (host: string) => `Server: ${isolate(host)}`,
  title: 'Connect to a server',
  body: 'Vignette works with any Supabase project that is set up for it. You find both values in its settings, under API keys.',
  linked:
    'A link has filled in these values. Connect only if you trust who gave it to you, and the address is the one you expect.',
  url: 'Server address',
  urlPlaceholder: 'https://example.supabase.co',
  key: 'Publishable key',
  submit: 'Connect',
  submitAnyway: 'Connect anyway',
  checking: 'Checking...',
  useEmbedded: 'Use this computer instead',
  problem: (problem: ServerProblem) => serverProblems[problem],
} as const
