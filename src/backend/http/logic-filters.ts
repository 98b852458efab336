/** Parameters that hold a logic tree: `or`, `and`, their negations, and those of an embedded table. */
const LOGIC_PARAMETER = /(^|\.)(or|and)$/

/** A quoted value where one may begin: after an operator's dot, a list's parenthesis or a comma. */
const QUOTED = /(?<=[.(,])"((?:[^"\\]|\\.)*)"/gs

/**
 * PostgREST unquotes `or=(name.ilike."%a,b%")`; lite compares with the quotes and finds nothing. It does unquote the
 * array of `ilike(any).{"%a,b%"}`, which means the same, so the one is made into the other.
 */
export function unquoteLikeFilters(url: URL): URL {
  const parameters = [...url.searchParams]
  if (!parameters.some(([name, value]) => LOGIC_PARAMETER.test(name) && value.includes('like."'))) return url
  const rewritten = new URL(url)
  rewritten.search = new URLSearchParams(
    parameters.map(([name, value]) => [name, LOGIC_PARAMETER.test(name) ? asArrays(value) : value]),
  ).toString()
  return rewritten
}

function asArrays(tree: string): string {
  const parts: string[] = []
  let end = 0
  for (const match of tree.matchAll(QUOTED)) {
    const before = tree.slice(end, match.index)
    const operator = /\.i?like\.$/.test(before)
    parts.push(operator ? `${before.slice(0, -1)}(any).{${asElement(match[1] ?? '')}}` : before + match[0])
    end = match.index + match[0].length
  }
  return parts.join('') + tree.slice(end)
}

/**
 * The element of an array literal for a quoted pattern. Both escape alike; but lite cannot read an escaped quote
 * there, so it becomes LIKE's wildcard for one character, and `*`, PostgREST's way to write `%`, is not replaced there.
 */
function asElement(quoted: string): string {
  const pattern = quoted.replaceAll(/\\(.)|\*/gs, (escaped: string, character: string | undefined) => {
    if (character === undefined) return '%'
    return character === '"' ? '_' : escaped
  })
  return `"${pattern}"`
}
