/** A refusal in PostgREST's form; supabase-js makes a PostgrestError of it. */
export function restRefusal(
  status: number,
  code: string,
  message: string,
  details: string | null = null,
  hint: string | null = null,
): Response {
  return Response.json({ code, message, details, hint }, { status })
}

export function busy(): Response {
  const answer = restRefusal(503, 'PT503', 'The server is busy')
  answer.headers.set('retry-after', '5')
  return answer
}
