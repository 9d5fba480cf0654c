import { expect, it } from 'vitest'
import { nameOfRef } from './proposed-ref.ts'

it.each([
  ['refs/merge-requests/7/head', 'merge request !7'],
  ['refs/merge-requests/7/merge', 'merge request !7'],
  ['refs/merge-requests/7/train', 'merge request !7'],
  ['refs/pull/12/merge', 'pull request #12'],
  ['refs/pull/12', 'refs/pull/12'],
  ['pull/12/merge', 'pull/12/merge'],
  ['main', 'main'],
])('people call the ref %s %s', (ref, name) => {
  expect(nameOfRef(ref)).toBe(name)
})
