import { expect, it } from 'vitest'
import { providersOfKind } from '../../providers/find-provider.ts'
import { findIssueKeys, isTakenBack, type IssueText } from './issue-keys.ts'

/**
 * The shapes of names of branches and of commit messages as public repositories have them (Kafka, Surefire, Spring Batch, Angular
 * CLI, JUnit plugin, Allure, Catch2, gotestsum), with names of our own, and variants of these shapes. A row is a text and its keys; `!` marks one that is taken back.
 */
interface Shapes {
  readonly provider: string
  readonly tracked: readonly string[]
  readonly branch: string
  readonly commit: string
}

const jira: Shapes = {
  provider: 'jira',
  tracked: ['ABC', 'WEB2', 'MY_PROJ', 'FIRE'],
  branch: `
ABC-1 > ABC-1
abc-1 > ABC-1
Abc-1385 > ABC-1385
ABC-1_fix > ABC-1
ABC-9866_bump > ABC-9866
ABC-12_3 > ABC-12
feature/ABC-1_fix > ABC-1
feature/ABC-1-fix > ABC-1
feature/abc-1_fix_login > ABC-1
feature_abc-1 > ABC-1
feature_ABC-1_fix > ABC-1
V30_FIRE-1535 > FIRE-1535
ABC-2298-nested-classes > ABC-2298
ABC-10199-with-fetch-2 > ABC-10199
ABC-1-ABC-2 > ABC-1 ABC-2
ABC-1_ABC-2 > ABC-1 ABC-2
abc-1_fix_web2-2_my_proj-3 > ABC-1 WEB2-2 MY_PROJ-3
abc-1/abc-2 > ABC-1 ABC-2
ABC-123.login > ABC-123
ABC-123+login > ABC-123
my_proj-7 > MY_PROJ-7
fix/MY_PROJ-7_again > MY_PROJ-7
fix_my_proj-7 > MY_PROJ-7
users/ada/WEB2-7 > WEB2-7
ada_web2-7-login > WEB2-7
bugfix/web2-07 >
fire-3.4.x >
fire-3.5 >
fire-3.x >
release/fire-2.22.3 >
release/2.22.3 >
fire-booter-1.5 >
dependabot/maven/org.fire-fire-utils-3.6.1 >
dependabot/npm_and_yarn/minimatch-3.1.2 >
dependabot/gradle/gradle-wrapper-9.6.1 >
upgrade-node-20 >
fix/utf-8 >
feature/838-extension >
xabc-1 >
abc1 >
abc-1x >
abc_1 >
2024-11-28-hotfix >
trunk >
0.8.0-beta1-candidate1 >
maint-0.2.0 >
ABC- >
revert-ABC-5 > ABC-5
revert-7-ABC-5 > ABC-5
gh-readonly-queue/main/pr-7-0a1b2c >
renovate/abc-digest >
`,
  commit: `
ABC-1: Add login > ABC-1
ABC-1; Add login > ABC-1
ABC-1; Add login (#17219) > ABC-1
ABC-1 Add login > ABC-1
ABC-1 - Add login > ABC-1
ABC-1:Add login > ABC-1
ABC-1, ABC-2: Add > ABC-1 ABC-2
ABC-1/ABC-2 Add > ABC-1 ABC-2
ABC-1_ABC-2 Add > ABC-1 ABC-2
ABC-12_MY_PROJ-7 Add > ABC-12 MY_PROJ-7
[ABC-1] Add login > ABC-1
[ABC-1][WEB2-2] Add > ABC-1 WEB2-2
(ABC-1) Add login > ABC-1
fix(ABC-1): add > ABC-1
fix: add [ABC-1] > ABC-1
fix: add (ABC-1) (#12) > ABC-1
Fixes ABC-1. > ABC-1
Closes: ABC-1 > ABC-1
#ABC-1 done > ABC-1
Refs ABC-1, see ABC-1 > ABC-1
Merge branch 'ABC-1' into trunk > ABC-1
Merge branch 'trunk' into ABC-9866_v2 > ABC-9866
Merge branch 'trunk' of https://github.com/acme/shop into ABC-1 > ABC-1
Merge remote-tracking branch 'up/trunk' into ABC-1-follow-up > ABC-1
Merge pull request #7 from ada/ABC-1 > ABC-1
Merge pull request #7 from ada/ABC-1_fix_login > ABC-1
Merge pull request #7 from ada/abc-1 >
https://acme.atlassian.net/browse/ABC-1 > ABC-1
[ABC-1](https://acme.atlassian.net/browse/ABC-1) > ABC-1
__ABC-1__ and _ABC-2_ > ABC-1 ABC-2
fix_ABC-1 > ABC-1
"ABC-1" > ABC-1
ABC-1… > ABC-1
MY_PROJ-7 Add > MY_PROJ-7
MY_ABC-7 Add >
ABC-1.5 is out >
Bump FIRE-3.x >
Read UTF-8 >
Use SHA-256 >
CVE-2024-1234 >
ISO-8859-1 >
abc-1 add >
XABC-1 >
ABC-0 >
ABC-01 >
ABC-1a >
ABC -1 >
MINOR: Add login (#12) >
HOTFIX: Add >
Bump org.acme:abc-utils from 1.2.3 to 1.2.4 (#12) >
git-svn-id: https://svn.example.org/repos/asf/abc/trunk@1414575 13f79535-47bb-0310-9956-ffa450edef68 >
[maven-release-plugin] prepare release abc-2.22.3 >
Revert "ABC-5 Add login" > !ABC-5
Revert "ABC-5: Add login" (#7) > !ABC-5
Revert "ABC-5 Add login > !ABC-5
revert "ABC-5 Add login" > !ABC-5
Reverts "ABC-5 Add login" > !ABC-5
Reverted "ABC-5 Add login" > !ABC-5
Reverting "ABC-5 Add login" > !ABC-5
Revert 'ABC-5 Add login' > !ABC-5
Revert “ABC-5 Add login” > !ABC-5
Revert \`ABC-5 Add login\` > !ABC-5
Revert: "ABC-5 Add login" > !ABC-5
Revert: ABC-5 Add login > !ABC-5
revert: ABC-5 add login > !ABC-5
revert: feat(login): ABC-5 add > !ABC-5
revert(login): ABC-5 add > !ABC-5
revert!: ABC-5 add > !ABC-5
Revert ABC-5: Add login > !ABC-5
Revert ABC-5 because of ABC-9 > !ABC-5 ABC-9
Revert ABC-5 and ABC-6 > !ABC-5 !ABC-6
Revert ABC-5, ABC-6 & ABC-7: Add > !ABC-5 !ABC-6 !ABC-7
Revert [ABC-5][ABC-6] Add (ABC-9) > !ABC-5 !ABC-6 ABC-9
Revert ABC-5/ABC-6 for ABC-9 > !ABC-5 !ABC-6 ABC-9
Revert ABC-5 and keep ABC-6 > !ABC-5 ABC-6
Revert [ABC-5] Add login > !ABC-5
MINOR: Revert "ABC-5 Add login" > !ABC-5
HOTFIX: Revert "ABC-5 Add login" (#7) > !ABC-5
[release/2.0] Revert "ABC-5 Add login" > !ABC-5
chore(api): Revert "ABC-5 Add login" > !ABC-5
ABC-9: Revert "ABC-5 Add login" > ABC-9 !ABC-5
ABC-9; Revert "MINOR: Log members (#12)" (#13) > ABC-9
[ABC-9] Revert "ABC-5 Add login" > ABC-9 !ABC-5
Revert "ABC-5 Add login" (ABC-9) > !ABC-5 ABC-9
Revert "ABC-5 Add "dark" mode" > !ABC-5
Revert "fix: ABC-5 add login" > !ABC-5
Revert "Merge branch 'ABC-5' into trunk" > !ABC-5
Revert "Merge pull request #7 from ada/ABC-5" > !ABC-5
Revert "Revert "ABC-5 Add login"" > ABC-5
Revert "Revert "ABC-5 Add login"" (#7) > ABC-5
Revert "MINOR: Revert "ABC-5 Add login"" > ABC-5
Revert "revert: ABC-5 add login" > ABC-5
revert: revert: ABC-5 add login > ABC-5
Revert "Revert "Revert "ABC-5 Add""" > !ABC-5
Reapply "ABC-5 Add login" > ABC-5
Reapply "Reapply "ABC-5 Add"" > ABC-5
Revert "Reapply "ABC-5 Add login"" > !ABC-5
reapply: ABC-5 add login > ABC-5
Reland "ABC-5 Add login" > ABC-5
ABC-5: Revert the line break > ABC-5
ABC-5: Revert LogCleaner and Manager > ABC-5
ABC-5 Revert "dark mode" button > ABC-5
ABC-5: revert unused change > ABC-5
Revert to 9 nodes, ABC-5 > ABC-5
revert unneeded change in ABC-5 > ABC-5
refactor: revert Status#isRunning (ABC-5) > ABC-5
fix: add reverts to ABC-5 > ABC-5
Revertible ABC-5 > ABC-5
Rollback of "ABC-5" is tested > ABC-5
`,
}

const linear: Shapes = {
  provider: 'linear',
  tracked: ['ENG', 'X', '3D', 'A1'],
  branch: `
ada/eng-12-fix-the-login > ENG-12
eng-12 > ENG-12
ENG-12_fix > ENG-12
fix_eng-12 > ENG-12
MY_ENG-12 > ENG-12
feature/x-7-add > X-7
x-7 > X-7
ada/3d-4-model > 3D-4
a1-2 > A1-2
2024-11-28-release >
ux-7 >
33d-4 >
v1.2-rc-3 >
eng-3.4 >
`,
  commit: `
ENG-12: Fix > ENG-12
Fix login (ENG-12) > ENG-12
Fixes ENG-12, part of X-7 > ENG-12 X-7
X-7 Add > X-7
3D-4: Add model > 3D-4
A1-2 Add > A1-2
https://linear.app/acme/issue/ENG-12/fix-login > ENG-12
https://linear.app/acme/issue/X-7/add > X-7
MY_ENG-12_fix > ENG-12
UX-7 Add >
X-7.5 >
x-7 add >
F-16 and 2FA-1 >
2024-11-28 >
Revert "X-7 Add" > !X-7
Revert 3D-4: Add model > !3D-4
revert: ENG-12 fix > !ENG-12
Revert "Revert "X-7 Add"" > X-7
`,
}

const github: Shapes = {
  provider: 'github-issues',
  tracked: ['acme/shop'],
  branch: `
12-fix-the-login > acme/shop#12
ada/12-fix > acme/shop#12
fix/gh-12 > acme/shop#12
gh-12_fix > acme/shop#12
fix_GH-12 > acme/shop#12
11.2.x >
2024-01-release >
release/1.53.x >
node-20 >
`,
  commit: `
Fix login (#12) > acme/shop#12
GH-12: Fix > acme/shop#12
Closes #12, #13 > acme/shop#12 acme/shop#13
acme/shop#12 > acme/shop#12
https://github.com/acme/shop/issues/12 > acme/shop#12
See [#12](https://github.com/acme/shop/issues/13) > acme/shop#13
See [acme/shop#12](https://github.com/acme/shop/issues/13) > acme/shop#13
See [the fix of #12](https://github.com/acme/shop/issues/13) > acme/shop#13
See [#12](https://github.com/acme/shop/pull/12) >
([#12](https://redirect.github.com/acme/api/issues/12)) >
Bump x ([#12](https://github.com/other/x/pull/12), #14) > acme/shop#14
<li><a href="https://github.com/other/x/issues/12">#12</a> add >
[#12] Add login > acme/shop#12
[#12](../issues/12) > acme/shop#12
- [ ] #12 > acme/shop#12
&#39;quoted&#39; >
fix(@acme/shop): color #123abc >
Status#isRunning >
Revert "Fix login (#12)" (#13) > !acme/shop#12 acme/shop#13
Revert #12 > !acme/shop#12
Revert #12 and #13 (#14) > !acme/shop#12 !acme/shop#13 acme/shop#14
[#12][#13] Fix both > acme/shop#12 acme/shop#13
revert: fix #12 > !acme/shop#12
Reapply "Fix #12" > acme/shop#12
`,
}

const repository = { fullName: 'acme/shop', url: 'https://github.com/acme/shop' }
const readers = new Map(providersOfKind('tracker').map(({ name, grammar }) => [name, grammar]))

function readKeys({ provider, tracked }: Shapes, source: IssueText['source'], text: string) {
  const grammar = readers.get(provider)
  if (grammar === undefined) throw new Error(`No tracker is called ${provider}`)
  const reading = { grammar, tracked: new Set(tracked), repository }
  return findIssueKeys([{ source, text, sha: null }], reading)
    .keys.map(({ key, evidence }) => (isTakenBack(evidence) ? `!${key}` : key))
    .join(' ')
}

it('finds in two hundred shapes of branches and messages the issues that they mean', () => {
  const rows = [jira, linear, github].flatMap((of) =>
    (['branch', 'commit'] as const).flatMap((source) =>
      of[source]
        .trim()
        .split('\n')
        .map((row) => ({ of, source, row, text: row.slice(0, row.lastIndexOf(' >')) })),
    ),
  )
  const read = rows.map(({ of, source, text }) =>
    `${text} > ${readKeys(of, source, text)}`.trimEnd(),
  )
  expect(read).toEqual(rows.map(({ row }) => row))
  expect(rows.length).toBeGreaterThan(200)
})
