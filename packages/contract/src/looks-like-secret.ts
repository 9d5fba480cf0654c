const secretName = /pass(?:word|phrase)|secret|token|private_?key|api_?key|credential/i
const secretText =
  /^(?:sk|rk|ghp|gho|ghs|[a-z]+_pat|xox[abprs]|sbx_m2m|AKIA|glpat)[-_A-Z0-9]|^[a-z][a-z0-9+.-]*:\/\/[^/\s:@]+:[^/\s@]+@/

/** Returns whether the name of a key or a variable says that its value is secret. Example: `stripeApiKey`. */
export function soundsSecret(name: string): boolean {
  return secretName.test(name.replaceAll(/([a-z])([A-Z])/g, '$1_$2'))
}

/** Returns whether a value has the form of a known token, of a private key, or of an address with a password. */
export function looksLikeSecret(value: string): boolean {
  return secretText.test(value) || findCredential(value) !== undefined
}

/**
 * Lists the forms of credentials whose issuers publish a prefix for scanners, each with its name. A form is as long as its issuer
 * makes it, so that a word that merely begins like one is none. Public identifiers are not among them: browser keys, and the
 * publishable keys of payment providers.
 */
const credentialForms: readonly (readonly [name: string, form: string])[] = [
  ['a private key', '-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----'],
  ['a secret key of age', 'AGE-SECRET-KEY-1[A-Z0-9]{58}'],
  ['a server key, relay key or token of Signalbox', 'sbx_(?:m2m|pat|agt|rly|scm)_[0-9A-Za-z]{46}'],
  ['an access key of AWS', '(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}'],
  ['an access key of Alibaba Cloud', 'LTAI[A-Za-z0-9]{20}'],
  ['a token of GitHub', 'gh[opsru]_[A-Za-z0-9]{36,}'],
  ['a token of GitHub', 'github_pat_[A-Za-z0-9_]{36,}'],
  ['a token of GitLab', 'gl(?:pat|dt|rt|ptt|ft|imt|agent|oas|cbt|soat|ffct)-[\\w.-]{20,}'],
  ['a token of Slack', 'xox[abeoprs]-[A-Za-z0-9-]{10,}'],
  ['a token of Slack', 'xapp-\\d-[A-Z0-9]+-\\d+-[a-z0-9]+'],
  ['a webhook of Slack', 'hooks\\.slack\\.com/(?:services|workflows)/T[A-Z0-9]+/[A-Za-z0-9/]{20,}'],
  ['a webhook of Discord', 'discord(?:app)?\\.com/api/webhooks/\\d{17,20}/[\\w-]{60,}'],
  ['a bot token of Telegram', '\\d{8,10}:AA[\\w-]{33}'],
  ['a live key of Stripe', '[rs]k_live_[A-Za-z0-9]{16,}'],
  ['a secret of webhooks', 'whsec_[A-Za-z0-9+/]{24,}'],
  ['a token of Square', 'sq0(?:atp|csp)-[\\w-]{22,}'],
  ['a token of Shopify', 'shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}'],
  ['an API key of Google', 'AIza[\\w-]{35}'],
  ['a client secret of Google', 'GOCSPX-[\\w-]{28}'],
  ['an access token of Google', 'ya29\\.[\\w-]{20,}'],
  ['an API key of SendGrid', 'SG\\.[\\w-]{22}\\.[\\w-]{43}'],
  ['an API key of Mailgun', 'key-[0-9a-f]{32}'],
  ['an API key of Mailchimp', '[0-9a-f]{32}-us\\d{1,2}'],
  ['an API key of Twilio', 'SK[0-9a-f]{32}'],
  ['a token of npm', 'npm_[A-Za-z0-9]{36}'],
  ['a token of PyPI', 'pypi-[\\w-]{50,}'],
  ['a token of RubyGems', 'rubygems_[a-f0-9]{48}'],
  ['a token of Docker Hub', 'dckr_(?:pat|oat)_[\\w-]{20,}'],
  ['a token of DigitalOcean', 'do[opr]_v1_[a-f0-9]{64}'],
  ['an API key of OpenAI', 'sk-(?:proj|svcacct|admin)-[\\w-]{20,}'],
  ['an API key of OpenAI', 'sk-[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}'],
  ['an API key of Anthropic', 'sk-ant-[a-z0-9]+-[\\w-]{20,}'],
  ['a token of Hugging Face', 'hf_[A-Za-z0-9]{34}'],
  ['an API key of Linear', 'lin_(?:api|oauth)_[A-Za-z0-9]{32,}'],
  ['a token of Notion', 'ntn_[A-Za-z0-9]{40,}'],
  ['a token of Atlassian', 'AT[AC]TT3[\\w=-]{60,}'],
  ['a token of Airtable', 'pat[A-Za-z0-9]{14}\\.[a-f0-9]{64}'],
  ['a token of Figma', 'fig[do]_[\\w-]{40,}'],
  ['an API key of Postman', 'PMAK-[a-f0-9]{24}-[a-f0-9]{34}'],
  ['an API key of New Relic', 'NRAK-[A-Z0-9]{27}'],
  ['a token of Grafana', 'gl(?:sa_[A-Za-z0-9]{32}_[a-f0-9]{8}|c_[A-Za-z0-9+/]{32,})'],
  ['a token of Sentry', 'sntry[su]_[\\w+/=]{40,}'],
  ['a token of Dynatrace', 'dt0[a-z]\\d\\d\\.[A-Z0-9]{24}\\.[A-Z0-9]{64}'],
  ['a token of Vault', 'hv[bs]\\.[\\w-]{24,}'],
  ['a token of Terraform Cloud', '[A-Za-z0-9]{14}\\.atlasv1\\.[\\w-]{60,}'],
  ['a token of Pulumi', 'pul-[a-f0-9]{40}'],
  ['a token of Doppler', 'dp\\.(?:audit|ct|pt|sa|scim|st)\\.[\\w.-]{40,}'],
  ['a token of Databricks', 'dapi[0-9a-f]{32}'],
  ['a password of PlanetScale', 'pscale_(?:oauth|pw|tkn)_[\\w.=-]{32,}'],
  ['a secret key of Supabase', 'sb(?:p_[a-f0-9]{40}|_secret_[\\w-]{20,})'],
  ['a token of Fly.io', 'fm2_[\\w+/=,-]{40,}'],
]

/** Returns the expression of forms. A letter or digit before or behind makes a credential part of something else. */
function compile(forms: string, flags = ''): RegExp {
  return new RegExp(`(?<![A-Za-z0-9])(?:${forms})(?![A-Za-z0-9])`, flags)
}

const compiledForms = credentialForms.map(([name, form]) => [name, compile(form, 'g')] as const)
/** Finds at once that a text has none, as almost every text. */
const anyForm = compile(credentialForms.map(([, form]) => form).join('|'))
const shortestCredential = 16

/**
 * Returns the name of the first known credential in a text, such as `a token of GitHub`; `undefined`: there is none. One that
 * `known` holds too is passed over.
 */
export function findCredential(text: string, known = ''): string | undefined {
  if (text.length < shortestCredential || !anyForm.test(text)) return undefined
  for (const [name, form] of compiledForms) {
    for (const [credential] of text.matchAll(form)) if (!known.includes(credential)) return name
  }
  return undefined
}
