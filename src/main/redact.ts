const SECRETS: readonly [RegExp, string][] = [
  // JSON Web Tokens: access tokens, and legacy anon and service keys.
  [/\beyJ[\w-]+\.[\w-]+(?:\.[\w-]*)?/g, '[token]'],
  [/\bsb_(secret|publishable)_[\w-]+/g, 'sb_$1_[key]'],
  [/\bBearer\s+[\w.~+/=-]+/gi, 'Bearer [token]'],
  [
    /(["']?\b(?:access_token|refresh_token|provider_token|code_verifier|token_hash|password|apikey|secret)\b["']?\s*[:=]\s*)("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^\s,;&}]+)/gi,
    '$1[hidden]',
  ],
]

/** Removes tokens, keys and passwords from a log line. */
export function redact(line: string): string {
  return SECRETS.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), line)
}
