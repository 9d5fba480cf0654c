import { expect, it } from 'vitest'
import { providersOfKind } from '../../providers/find-provider.ts'
import { findIssueKeys, isTakenBack, type IssueText } from './issue-keys.ts'

/**
 * Holds names of branches and first lines of commit messages. A row is a text and its keys; `!` marks one that is taken back.
 *
 * `public…`: the shapes of texts of public repositories (Kafka, Surefire, JUnit plugin, Hibernate Validator, Spring Batch, Angular CLI,
 * Camel K, Allure), with words, names and numbers of our own. Their keys were counted without the code that is tested; over all
 * 137,863 texts of the eight repositories the two counts differ in one, `JIRA_ABC-1`, which may be of a project `JIRA_ABC`.
 * `made…`: variants that were written for this test.
 */
interface Shapes {
  readonly provider: string
  readonly tracked: readonly string[]
  readonly branch: string
  readonly commit: string
}

const publicJira: Shapes = {
  provider: 'jira',
  tracked: ['ABC', 'WEB2', 'MY_PROJ', 'FIRE'],
  branch: `
ABC-1 > ABC-1
abc-1 > ABC-1
Abc-1385 > ABC-1385
ABC-9866_bump > ABC-9866
ABC-12_3 > ABC-12
V30_FIRE-1535 > FIRE-1535
ABC-2298-nested-classes > ABC-2298
ABC-10199-with-fetch-2 > ABC-10199
my_proj-7 > MY_PROJ-7
users/ada/WEB2-7 > WEB2-7
bugfix/web2-07 >
fire-3.4.x >
fire-3.5 >
release/2.22.3 >
fire-booter-1.5 >
dependabot/npm_and_yarn/minimatch-3.1.2 >
dependabot/gradle/gradle-wrapper-9.6.1 >
upgrade-node-20 >
feature/838-extension >
xabc-1 >
abc1 >
abc-1x >
abc_1 >
trunk >
0.8.0-beta1-candidate1 >
maint-0.2.0 >
revert-7-ABC-5 > ABC-5
ABC-5 > ABC-5
ABC-5-2.4-login > ABC-5
color-release-2-4-1 >
ABC-5-field-chart-test > ABC-5
abc-5-report-token-panel > ABC-5
ABC-5_Price-Report-Footer > ABC-5
ABC-5_test3 > ABC-5
address-chart-ABC-5 > ABC-5
ABC-5-Stock-and-title-Index-price > ABC-5
ABC-5-part1-cart-image-audit > ABC-5
audit/ABC-5 > ABC-5
ABC-5-Label-total-0 > ABC-5
abc-5_currency64theme_basket_token > ABC-5
Mail8179-store2-queue-cart >
abc-5-theme2 > ABC-5
Mail6611-Badge-queue >
ABC-5-fix-proof-plan-coupon > ABC-5
ABC-5/Queue-Email-Address-Header-CHART-Audit > ABC-5
abc-5_Store_user_page_for_coupon_field > ABC-5
ABC-5-queue-price-currency-mark-fix > ABC-5
Token30_ABC-5 > ABC-5
proof-714-proof-header >
ABC-5-2 > ABC-5
ABC-5-Token1 > ABC-5
abc-5 > ABC-5
abc-5.12.2 >
abc-5.4 >
dependabot/maven/alert.list.report-login4-chart-4.6.0-1 >
feat/ABC-5-token6 > ABC-5
ABC-5-Fix > ABC-5
fix-abc-5 > ABC-5
dependabot/github_alert/currency/mail-currency-date-5.1.0 >
`,
  commit: `
ABC-1: Add login > ABC-1
ABC-1; Add login > ABC-1
ABC-1; Add login (#17219) > ABC-1
ABC-1 Add login > ABC-1
ABC-1 - Add login > ABC-1
ABC-1:Add login > ABC-1
ABC-1, ABC-2: Add > ABC-1 ABC-2
Merge branch 'trunk' into 919_ABC-1 > ABC-1
[ABC-1] Add login > ABC-1
[ABC-1][WEB2-2] Add > ABC-1 WEB2-2
fix(ABC-1): add > ABC-1
#ABC-1 done > ABC-1
Merge branch 'trunk' into ABC-9866_v2 > ABC-9866
Merge remote-tracking branch 'up/trunk' into ABC-1-follow-up > ABC-1
Merge pull request #7 from ada/ABC-1 > ABC-1
Merge pull request #7 from ada/abc-1 >
https://acme.atlassian.net/browse/ABC-1 > ABC-1
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
git-svn-id: https://svn.example.org/repos/asf/abc/trunk@1414575 13f79535-47bb-0310-9956-ffa450edef68 >
[maven-release-plugin] prepare release abc-2.22.3 >
Revert "ABC-5 Add login" > !ABC-5
ABC-9 Revert "ABC-5 Add login" > ABC-9 !ABC-5
ABC-9: revert ABC-5 (#7) > ABC-9 !ABC-5
HOTFIX: Revert ABC-5 which broke it (#7) > !ABC-5
Revert workaround now that ABC-5 is merged > ABC-5
Re-applied old patch from ABC-5 > ABC-5
ABC-5: revert > ABC-5
ABC-5 / revert some changes > ABC-5
ABC-5:Reverted previous change > ABC-5
ABC-9; Revert "MINOR: Log members (#12)" (#13) > ABC-9
ABC-5: Revert the line break > ABC-5
ABC-5: Revert LogCleaner and Manager > ABC-5
ABC-5: revert unused change > ABC-5
ABC-5 Cart label user store for event label token > ABC-5
ABC-5 Report: batch a clock store badge name and not refund in the price > ABC-5
ABC-5: Coupon quota coupon of mark login > ABC-5
ABC-5: Page coupon price/field token in a page label > ABC-5
ABC-5; Index.close queue table image > ABC-5
ABC-5: Fixes for stock test page page by CI > ABC-5
ABC-5: coupon Badge footer close() with no order > ABC-5
MINOR: ABC-5 follow-up to fix minor issues > ABC-5
ABC-5: Fix email Proof (#8635) > ABC-5
ABC-5 Batch report plan STORE page > ABC-5
MINOR: Fix Plan Title Audit header batch (#6339) >
ABC-5: Added queue queue and date panel > ABC-5
ABC-5: fix table mail alert event to report event coupon proof a login > ABC-5
ABC-5; Date proof queue page email and refund token > ABC-5
ABC-5 Refund "Total#quota#price" by "Total#price" (#15795) > ABC-5
Add date test for ABC-5. > ABC-5
ABC-5: Add date panel for Proof#name(Stock) > ABC-5
ABC-5: Remove batch_price / batch_price_order > ABC-5
ABC-5 / Fix page index > ABC-5
ABC-5: close Refund in Theme (#15090) > ABC-5
ABC-5: By name, field login queue table token > ABC-5
[ABC-5] Address 1.6 for field QUEUE theme date in ABC-6 > ABC-5 ABC-6
ABC-5 fix BATCH in Total coupon order Title is mark > ABC-5
ABC-5 Fixed tax > ABC-5
ABC-5 Batch Report to panel field stock (#15589) > ABC-5
ABC-5: Panel queue date on report queue label > ABC-5
ABC-5 Fix ORDER-2019-10219 Tax batch with @Token > ABC-5
[ABC-5] Coupon panel stock proof in event-field > ABC-5
[FIRE-5] panel QUEUE panel mail currency > FIRE-5
ABC-5 list the report store audit field the event user > ABC-5
ABC-5 Header email.report color and docs. > ABC-5
Merge remote-tracking branch 'footer/trunk' into ABC-5 > ABC-5
MINOR: Batch chart for stock in Header.token (#17558) >
RESOLVED - ABC-5: Mail plan issues in chart image > ABC-5
ABC-5: Batch DATE_NOT_TOKEN_ON_TOKEN coupon for login date > ABC-5
ABC-5: Fix report Panel > ABC-5
MINOR: Fix proof in 2.0.0 clock price (#5154) >
ABC-5 Email #field to Price > ABC-5
[ABC-5] > ABC-5
MINOR: List clock panel list token is fix for ABC-5 > ABC-5
ABC-5: Fix price user in Date::image (#9375) > ABC-5
ABC-5; Fix report'mail index label > ABC-5
ABC-5 Refund Total and Mark with Price > ABC-5
ABC-5: Theme page + quota tax trunk > ABC-5
ABC-5: Fix BATCH in header from Table > ABC-5
Order: Add Login Mail address to /currency/table alert (#5907) >
ABC-5: Color currency basket chart currency of Store > ABC-5
[ABC-5] Add Field for image Coupon4 test total > ABC-5
90-date total for date.address >
ABC-5: added header() > ABC-5
ABC-5: User Badge to Token. (#14907) > ABC-5
ABC-5: fixed date > ABC-5
ABC-5:Page theme report mark quota refund. > ABC-5
ABC-5: Fixed label to image Image > ABC-5
[ABC-5] Order price Theme in label date > ABC-5
[ABC-5] Adds address quota cart and image total cart > ABC-5
ABC-5: remove with-tax report from build > ABC-5
[ABC-5] Coupon "test" alert to address audit > ABC-5
ABC-5: Mail Date 3.0.0.Clock2 report to build in Report title > ABC-5
[maven-index] stock for mark abc-5.3 >
[ABC-5] Maven-panel-currency footer'login index basket PROOF name on name name > ABC-5
[ABC-5] Total.refund() in Coupon order color event to basket/report price. > ABC-5
RESOLVED - ABC-5: "MAIL" Refund email > ABC-5
[ABC-5] event-currency audit queue not table event in Maven Plan > ABC-5
Test footer store and store (#625) >
[maven-release-field] footer release coupon-1.4 >
Bump list-2.332.mail from 1342.token729token_3818store88 to 1362.token59total2total3basket_80store (#382) >
Update badge alert.list.email.list:list-2.504.mail to token5577 (#756) >
WEB2-5 login test fix > WEB2-5
Merge pull request #103 from token/page >
`,
}

const publicGithub: Shapes = {
  provider: 'github-issues',
  tracked: ['acme/shop'],
  branch: `
12-fix-the-login > acme/shop#12
11.2.x >
node-20 >
498-chart11-no-report > acme/shop#498
264-fix-queue-color-event > acme/shop#264
440-image-in-chart11 > acme/shop#440
dependabot/npm_and_yarn/token/currency_date/http-clock-1.18.1 >
github-279 >
docs/fix-1 >
523-badge-color > acme/shop#523
release-2.8.mail >
image1image-theme-1 >
258-remove-footer-from-plan > acme/shop#258
currency-2.1.0 >
renovate/page-footer-currency-4.mail >
1249-quota > acme/shop#1249
`,
  commit: `
Fix login (#12) > acme/shop#12
[#12] Add login > acme/shop#12
Status#isRunning >
fix field chart for email (via #5) > acme/shop#5
image(@currency/date): remove footer email index (#5) > acme/shop#5
build: update @currency/audit to proof 9.0.0-tax.1 (#5) > acme/shop#5
Fix #5: fix date tax in panel > acme/shop#5
test: date commit header (#5) > acme/shop#5
release: clock the token20.0.0-total.4 release >
price(date): add field for plan coupon #5 > acme/shop#5
fix(@refund/currency): open login tax in coupon total (#5) > acme/shop#5
Fix #5: alert date footer basket and add store2store panel > acme/shop#5
fix(@currency/date): fix test refund coupon basket proof field (#5) > acme/shop#5
bump store-alert:store-alert from 2.13.0 to 2.14.0 (via #5) > acme/shop#5
proof tax token mail11 is order and mail is plan (via #5) > acme/shop#5
Fix #5: color token to 1.5.1-LABEL > acme/shop#5
price: the coupon 'tax price [mail]' page not page (#5) > acme/shop#5
release: token12.1.0-total.4 >
build: field mail_page for CI (#5) > acme/shop#5
fix (#5) > acme/shop#5
Fix #5: image main > acme/shop#5
price: remove report and image price for report label (#5) > acme/shop#5
chore: remove user color from coupon (#5) > acme/shop#5
Add a -store token to mail total #5 > acme/shop#5
Fix #5: Batch TAX footer report of queue cart > acme/shop#5
Alert-refund user #5 > acme/shop#5
chore: update table to alert 8 (#5) > acme/shop#5
add footer user (fixes #5, via #6) > acme/shop#5 acme/shop#6
image(@refund/currency): fix tax and Address in title.email (#5) > acme/shop#5
Add List for plan queue (fix #5) > acme/shop#5
chore(ci): upgrade mail-audit date (#5) > acme/shop#5
bump com.github.badge from 6.4.8 to 6.5.0 (via #5) > acme/shop#5
fix review store #5 > acme/shop#5
Queue 'header' mark order by Queue Mail. #5 > acme/shop#5
feat(#5): fix price page > acme/shop#5
`,
}

const madeJira: Shapes = {
  provider: 'jira',
  tracked: ['ABC', 'WEB2', 'MY_PROJ', 'FIRE'],
  branch: `
ABC-1_fix > ABC-1
feature/ABC-1_fix > ABC-1
feature/ABC-1-fix > ABC-1
feature/abc-1_fix_login > ABC-1
feature_abc-1 > ABC-1
feature_ABC-1_fix > ABC-1
ABC-1-ABC-2 > ABC-1 ABC-2
ABC-1_ABC-2 > ABC-1 ABC-2
abc-1_fix_web2-2_my_proj-3 > ABC-1 WEB2-2 MY_PROJ-3
abc-1/abc-2 > ABC-1 ABC-2
ABC-123.login > ABC-123
ABC-123+login > ABC-123
fix/MY_PROJ-7_again > MY_PROJ-7
fix_my_proj-7 > MY_PROJ-7
ada_web2-7-login > WEB2-7
fire-3.x >
release/fire-2.22.3 >
dependabot/maven/org.fire-fire-utils-3.6.1 >
fix/utf-8 >
2024-11-28-hotfix >
ABC- >
revert-ABC-5 > ABC-5
gh-readonly-queue/main/pr-7-0a1b2c >
renovate/abc-digest >
`,
  commit: `
ABC-1/ABC-2 Add > ABC-1 ABC-2
ABC-1_ABC-2 Add > ABC-1 ABC-2
ABC-12_MY_PROJ-7 Add > ABC-12 MY_PROJ-7
(ABC-1) Add login > ABC-1
fix: add [ABC-1] > ABC-1
fix: add (ABC-1) (#12) > ABC-1
Fixes ABC-1. > ABC-1
Closes: ABC-1 > ABC-1
Refs ABC-1, see ABC-1 > ABC-1
Merge branch 'ABC-1' into trunk > ABC-1
Merge branch 'trunk' of https://github.com/acme/shop into ABC-1 > ABC-1
Merge pull request #7 from ada/ABC-1_fix_login > ABC-1
[ABC-1](https://acme.atlassian.net/browse/ABC-1) > ABC-1
__ABC-1__ and _ABC-2_ > ABC-1 ABC-2
fix_ABC-1 > ABC-1
"ABC-1" > ABC-1
ABC-1… > ABC-1
MY_PROJ-7 Add > MY_PROJ-7
MY_ABC-7 Add >
ABC-1.5 is out >
Bump FIRE-3.x >
Bump org.acme:abc-utils from 1.2.3 to 1.2.4 (#12) >
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
ABC-9; Revert ABC-5 which broke it > ABC-9 !ABC-5
Reverting ABC-5 since it broke it > !ABC-5
Reverting ABC-5, to be added after ABC-9 > !ABC-5 ABC-9
ABC-9: Revert changes from ABC-5 and add > ABC-9 ABC-5
see ABC-5 reverting the change > ABC-5
Merge pull request #2 from ada/revert-1-ABC-5 > ABC-5
Revert "Add login" (target branch was ABC-5) > ABC-5
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
ABC-5 Revert "dark mode" button > ABC-5
Revert to 9 nodes, ABC-5 > ABC-5
revert unneeded change in ABC-5 > ABC-5
refactor: revert Status#isRunning (ABC-5) > ABC-5
fix: add reverts to ABC-5 > ABC-5
Revertible ABC-5 > ABC-5
Rollback of "ABC-5" is tested > ABC-5
`,
}

const madeLinear: Shapes = {
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

const madeGithub: Shapes = {
  provider: 'github-issues',
  tracked: ['acme/shop'],
  branch: `
ada/12-fix > acme/shop#12
fix/gh-12 > acme/shop#12
gh-12_fix > acme/shop#12
fix_GH-12 > acme/shop#12
2024-01-release >
release/1.53.x >
`,
  commit: `
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
[#12](../issues/12) > acme/shop#12
- [ ] #12 > acme/shop#12
&#39;quoted&#39; >
fix(@acme/shop): color #123abc >
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

it.each([
  ['two hundred shapes that public repositories have', [publicJira, publicGithub], 200],
  ['variants of these, and in those of Linear', [madeJira, madeLinear, madeGithub], 100],
] as const)('finds in %s the issues that they mean', (_what, shapes, atLeast) => {
  const rows = shapes.flatMap((of) =>
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
  expect(rows.length).toBeGreaterThan(atLeast)
})
