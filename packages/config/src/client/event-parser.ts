/** Describes one server-sent event. */
export interface ServerEvent {
  readonly type: string
  readonly data: string
}

/**
 * Returns a function that takes the text of a stream piece by piece and calls `dispatch` for each complete event.
 *
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
 */
export function createEventParser(dispatch: (event: ServerEvent) => void): (text: string) => void {
  let rest = ''
  let type = ''
  let data: string[] = []

  const take = (line: string) => {
    if (line === '') {
      if (data.length > 0) dispatch({ type: type || 'message', data: data.join('\n') })
      type = ''
      data = []
      return
    }
    const [, field, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? []
    if (field === 'event') type = value
    if (field === 'data') data.push(value)
  }

  return (text) => {
    // A carriage return at the end may be the first half of a line break.
    const lines = (rest + text).split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    for (const line of lines) take(line)
  }
}
