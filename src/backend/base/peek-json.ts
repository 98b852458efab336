/** Parses the body of a request or response without consuming it; null if it is not JSON. */
export async function peekJson(message: Request | Response): Promise<unknown> {
  return message
    .clone()
    .json()
    .catch(() => null)
}
