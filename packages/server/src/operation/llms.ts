import { readFileSync } from 'node:fs'
import { operationEndpoints as endpoints } from '@signalbox/contract/rest'
import type { Router } from '../http/router.ts'
import { answerTagged, tagAnswer, type TaggedAnswer } from '../http/answers/tagged-answer.ts'

/** Mounts the documentation for programs (https://llmstxt.org). Reads it from the package once, at the start. */
export function mountLlms(router: Router): void {
  const contents = readText('llms.txt')
  const pages = readText('llms-full.txt')
  const skill = readText('skill.md', 'text/markdown; charset=utf-8')
  const fileSchema = readText('signalbox.schema.json', 'application/schema+json')
  router
    .addRaw(endpoints.readLlms, async ({ header }) =>
      answerTagged(contents, header('if-none-match')),
    )
    .addRaw(endpoints.readEveryPage, async ({ header }) =>
      answerTagged(pages, header('if-none-match')),
    )
    .addRaw(endpoints.readSkill, async ({ header }) => answerTagged(skill, header('if-none-match')))
    .addRaw(endpoints.readFileSchema, async ({ header }) =>
      answerTagged(fileSchema, header('if-none-match')),
    )
}

function readText(name: string, contentType = 'text/plain; charset=utf-8'): TaggedAnswer {
  return tagAnswer(readFileSync(new URL(`../../assets/${name}`, import.meta.url)), {
    'Content-Type': contentType,
    'Cache-Control': 'no-cache',
  })
}
