import { existsSync, readFileSync, statSync } from 'node:fs'
import { join, posix } from 'node:path'
import { root, type Finding } from '../architecture/source-files.ts'
import { anchorOf } from '../../scripts/docs/render-markdown.ts'
import { findInText, withoutCode, type MarkdownFile } from './markdown-files.ts'

/** Links within the repository that lead nowhere: a missing file, or a heading that is not in it. */
export function brokenLinks(file: MarkdownFile): Finding[] {
  const prose = { path: file.path, text: withoutCode(file.text) }
  return findInText(prose, /\]\(([^)\s]+)\)/g, ([, target = '']) => {
    if (/^(https?|mailto):/.test(target)) return undefined
    const [path = '', anchor] = target.split('#')
    const destination = path === '' ? file.path : posix.join(posix.dirname(file.path), path)
    if (path !== '' && !existsSync(join(root, destination))) {
      return `leads to ${destination}, which is not there`
    }
    if (anchor === undefined) return undefined
    if (destination !== file.path && statSync(join(root, destination)).isDirectory())
      return undefined
    const text =
      destination === file.path ? file.text : readFileSync(join(root, destination), 'utf8')
    return anchorsOf(text).has(anchor) ? undefined : `${destination} has no heading #${anchor}`
  })
}

/** The anchors that GitHub gives the headings of `text`. */
function anchorsOf(text: string): ReadonlySet<string> {
  const headings = [...text.matchAll(/^#{1,6} (.*)$/gm)].map(([, heading = '']) => heading)
  return new Set(headings.map(anchorOf))
}
