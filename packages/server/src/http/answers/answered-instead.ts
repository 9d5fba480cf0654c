/** Carries an answer other than that of the endpoint. A handler throws it, and the router sends it. */
export class AnsweredInstead extends Error {
  override readonly name = 'AnsweredInstead'
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown

  constructor(status: number, headers: Readonly<Record<string, string>>, body: unknown) {
    super('The request is answered by something else.')
    this.status = status
    this.headers = headers
    this.body = body
  }
}
