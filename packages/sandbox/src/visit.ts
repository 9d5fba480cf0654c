const pagesMax = 10
const timeLimitMs = 10_000

/**
 * Plays a person between the product's redirect and its callback: opens the provider's pages, changes nothing,
 * presses the button, and returns. Resolves to the query of the callback `backTo`. `choices` replaces what the forms
 * propose, by the names of their fields. Example: `{ account: 'ada' }`.
 */
export async function visit(
  url: string,
  decision: 'allow' | 'deny',
  backTo: string,
  choices: Readonly<Record<string, string>> = {},
): Promise<URLSearchParams> {
  let answer = await open(url)
  for (let pages = 0; pages < pagesMax; pages += 1) {
    const to = answer.headers.get('location')
    if (to?.startsWith(backTo)) return new URL(to).searchParams
    answer =
      to === null
        ? await submit(await answer.text(), url, { ...choices, decision })
        : await open(new URL(to, url).href)
  }
  throw new Error('The provider did not lead back')
}

function open(url: string): Promise<Response> {
  return fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(timeLimitMs) })
}

async function submit(
  page: string,
  at: string,
  choices: Readonly<Record<string, string>>,
): Promise<Response> {
  const action = /<form[^>]* action="([^"]+)"/.exec(page)?.[1]
  if (action === undefined) throw new Error(`The page has no form: ${page}`)
  const fields = fill(page, new URLSearchParams())
  for (const [name, value] of Object.entries(choices)) fields.set(name, value)
  return fetch(new URL(unescape(action), at), {
    method: 'POST',
    body: fields,
    redirect: 'manual',
    signal: AbortSignal.timeout(timeLimitMs),
  })
}

/** Returns the fields of a form that a person does not change, and the first option of each choice. */
function fill(page: string, fields: URLSearchParams): URLSearchParams {
  for (const [tag] of page.matchAll(/<(?:input|select)[^>]*>/g)) {
    const name = attribute(tag, 'name')
    const isOpen = attribute(tag, 'type') === 'hidden' || / checked/.test(tag)
    if (name !== undefined && isOpen) fields.set(name, attribute(tag, 'value') ?? '')
  }
  return choose(page, fields)
}

/** Returns the first option of the choice on the page, if there is one. */
function choose(page: string, fields: URLSearchParams): URLSearchParams {
  const [, select, options = ''] = /<select name="([^"]+)">([\s\S]*?)<\/select>/.exec(page) ?? []
  const [, value, text = ''] = /<option(?: value="([^"]*)")?[^>]*>([^<]*)/.exec(options) ?? []
  if (select !== undefined) fields.set(select, value ?? text)
  return fields
}

function attribute(tag: string, name: string): string | undefined {
  const value = new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1]
  return value === undefined ? undefined : unescape(value)
}

function unescape(text: string): string {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}
