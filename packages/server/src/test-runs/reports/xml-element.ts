import { z } from 'zod'
import { reportLimits } from './test-report.ts'
import { unescapeXml } from './unescape-xml.ts'

const attributes = z.record(z.string(), z.string())
const elements = z.array(z.record(z.string(), z.unknown()))

/** Holds an element as it was parsed: `{ '@': attributes, '#text', …children }`. */
export type Element = Readonly<Record<string, unknown>>

/** Returns the children of one name. */
export function childrenOf(element: Element, tag: string): readonly Element[] {
  const parsed = Object.hasOwn(element, tag) ? elements.safeParse(element[tag]) : undefined
  return parsed?.success === true ? parsed.data : []
}

/** Returns the attributes of an element, as long as they may be kept. */
export function attributesOf(element: Element): Readonly<Record<string, string>> {
  const parsed = attributes.safeParse(element['@'])
  if (!parsed.success) return {}
  return Object.fromEntries(
    Object.entries(parsed.data).map(([name, value]) => [name, unescapeStart(value)]),
  )
}

/** Returns the beginning of the text of an element. */
export function textOf(element: Element): string {
  const text = element['#text']
  return typeof text === 'string' ? unescapeStart(text) : ''
}

function unescapeStart(text: string): string {
  return unescapeXml(text.slice(0, reportLimits.attributeLength))
}
