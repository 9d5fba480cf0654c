/** Describes the page: what it reads, and where a person changes that. */
export interface ApplicationOptions {
  /** Holds the address of the delivery. */
  readonly configUrl: string
  /** Holds a browser key, which is publishable. */
  readonly browserKey: string
  readonly schemaId: string
  readonly environment: string
  readonly environmentId: string
  /** Holds the address of the flags in the dashboard. */
  readonly flagsUrl: string
  /** Holds the address of the values in the dashboard. */
  readonly valuesUrl: string
  /** Holds the path of the client's module on this page. */
  readonly clientModule: string
}

/** Returns the HTML of the application. The script fills it in. */
export function renderApplication(options: ApplicationOptions): string {
  const { configUrl, browserKey, schemaId, environment, environmentId } = options
  const data = { configUrl, browserKey, schemaId, environmentId, client: options.clientModule }
  return `<!doctype html>
<html lang="en" ${toAttributes(data)}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Acme Shop</title>
<link rel="stylesheet" href="/application.css">
<link rel="icon" href="data:,">
<script type="module" src="/application.js"></script>
</head>
<body>
<header class="notice">Demo application. It reads its configuration in ${escape(environment)} from Signalbox, with a browser key.</header>
<main>
<section class="card shop" aria-labelledby="store">
<div class="head"><h1 id="store">Acme Shop</h1><span id="state" class="pill" role="status">Connecting</span></div>
<p id="announcement" class="announcement" hidden></p>
<p id="closed" class="closed" hidden>The shop is closed for maintenance.</p>
<div id="open">
<ul id="products" class="products"></ul>
<p class="quiet">Free shipping from <span id="shipping"></span>. Questions? <span id="support"></span>, <span id="hours"></span></p>
<div class="checkout" aria-live="polite">
<h2 id="checkout-title">Checkout</h2>
<p id="checkout-step"></p>
<button id="checkout-next" type="button">Continue</button>
</div>
</div>
</section>
<aside>
<section class="card" aria-labelledby="try">
<h2 id="try">Try it</h2>
<ol>
<li>Open <a href="${escape(options.flagsUrl)}" target="_blank" rel="noreferrer">the flags in Signalbox</a> beside this page. Sign in with the account that the terminal shows.</li>
<li>Flip <code>newCheckout</code> in ${escape(environment)}. This page changes within a second, without a reload.</li>
<li>Then change <code>announcement</code>, <code>currency</code> or the JSON of <code>supportHours</code> under <a href="${escape(options.valuesUrl)}" target="_blank" rel="noreferrer">Configuration</a>.</li>
</ol>
</section>
<section class="card" aria-labelledby="received">
<h2 id="received">What this page received</h2>
<p class="quiet">Version <span id="version">0</span> of what browsers may read, at <span id="time">–</span>. Secrets never reach a browser key.</p>
<table><thead><tr><th scope="col">Key</th><th scope="col">Value</th></tr></thead><tbody id="values"></tbody></table>
</section>
</aside>
</main>
</body>
</html>
`
}

/** Returns `data-config-url="…"` for `configUrl`, and so on. */
function toAttributes(data: Readonly<Record<string, string>>): string {
  return Object.entries(data)
    .map(([name, value]) => {
      const attribute = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
      return `data-${attribute}="${escape(value)}"`
    })
    .join(' ')
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
