/** Describes where the audit log is sent to besides the database. */
export interface AuditSettings {
  readonly otlp:
    | {
        readonly url: string
        readonly headers: Readonly<Record<string, string>>
      }
    | undefined
  /** True: each event is a line of JSON on standard output. */
  readonly ndjson: boolean
}

type SettingTexts = ReadonlyMap<string, string>

const urlName = 'SIGNALBOX_AUDIT_OTLP_URL'
const headersName = 'SIGNALBOX_AUDIT_OTLP_HEADERS'
const ndjsonName = 'SIGNALBOX_AUDIT_NDJSON'

/** Reads what the settings say of the audit log. What is wrong is added to `violations`, one line each. */
export function readAuditSettings(texts: SettingTexts, violations: string[]): AuditSettings {
  const url = readUrl(texts.get(urlName), violations)
  const headers = readHeaders(texts.get(headersName), violations)
  const ndjson = texts.get(ndjsonName)
  if (ndjson !== undefined && ndjson !== 'stdout') violations.push(`${ndjsonName} must be stdout.`)
  if (texts.has(headersName) && !texts.has(urlName)) {
    violations.push(`${headersName} needs ${urlName}.`)
  }
  return {
    otlp: url === undefined ? undefined : { url: url.href, headers },
    ndjson: ndjson !== undefined,
  }
}

/** Reads the address of the receiver. One without a path gets that of OTLP/HTTP. */
function readUrl(text: string | undefined, violations: string[]): URL | undefined {
  if (text === undefined) return undefined
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isPlain =
    url?.username === '' && url.password === '' && url.search === '' && url.hash === ''
  if (url === undefined || !isPlain || !/^https?:$/.test(url.protocol)) {
    violations.push(
      `${urlName} must be a URL without a user name or query, such as http://otel-collector:4318/v1/logs. Credentials belong into ${headersName}.`,
    )
    return undefined
  }
  if (url.pathname === '/') url.pathname = '/v1/logs'
  return url
}

const headerName = /^[a-z0-9!#$%&'*+.^_`|~-]+$/i
/** The sender sets these itself. */
const ownHeaders = new Set([
  'content-type',
  'content-length',
  'host',
  'connection',
  'transfer-encoding',
])

/** Reads `name=value` pairs in the form of OTEL_EXPORTER_OTLP_HEADERS, with values in percent-encoding. */
function readHeaders(text: string | undefined, violations: string[]): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const pair of text?.split(',') ?? []) {
    if (pair.trim() === '') continue
    const [name = '', ...rest] = pair.split('=')
    const value = decode(rest.join('=').trim())
    const key = name.trim().toLowerCase()
    if (value === undefined || !headerName.test(key) || ownHeaders.has(key)) {
      // The text is a secret: the violation names the form alone.
      violations.push(
        `${headersName} must be pairs such as authorization=Bearer%20…, separated by commas, with values in percent-encoding.`,
      )
      return {}
    }
    headers[key] = value
  }
  return headers
}

function decode(text: string): string | undefined {
  try {
    const value = decodeURIComponent(text)
    return value === '' || /[^\t\x20-\x7e]/.test(value) ? undefined : value
  } catch {
    return undefined
  }
}
