"""Texts of the landing page."""

WELCOME = """
<div><h1>A table of counts can disclose facts about a person.</h1>
<p class="lead">These lessons and tools show how disclosure happens, measure the risk, and help you to reduce it. They
are for everyone who publishes tables; the first lessons require no knowledge of statistics.</p>
<div class="go"><a class="way-on" id="continue-story" href="#anna" hidden>Continue the story</a>
<a class="main-way" href="#anna">Start the story: Find Anna</a>
<button type="button" id="start-again" hidden>Start again</button>
<span class="mute">15 minutes, no login</span></div>
<ol class="story" aria-label="Steps of the story">{story}</ol></div>
"""

OWN = """
<div class="card own" id="own"><div><h2>Use your own table</h2>
<p>Explore shows the disclosure risk of your table. Protect reports whether it meets your release rules, and
protects it.</p></div> <div><ul><li>CSV or Excel files, or cells copied from a spreadsheet</li>
<li>Totals are detected and left out, so that nobody is counted twice</li>
<li>Your table is sent to the server of these pages, which computes the results. The server keeps the table in memory
only, and deletes it when your session ends. Your browser tab keeps a copy until you delete it or close the tab.</li>
</ul>
<div class="go"><a class="main-way" href="{paste}">Paste your own table</a>
<a href="explore.ipynb">Open a file in Explore</a>
<button type="button" id="forget" hidden>Delete my table</button><span class="mute" role="status" id="forgotten"></span>
</div></div></div>
"""
