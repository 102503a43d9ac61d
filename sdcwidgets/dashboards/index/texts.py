"""Texts of the landing page: its first words, and how a table of one's own is opened."""

WELCOME = """
<div><h1>A table of counts can give away a person.</h1>
<p class="lead">Lessons and live tools show how, measure it with one number, and teach you to prevent it. For all who
publish tables; no statistics needed.</p>
<div class="go"><a class="main-way" href="#anna">Start the story: Find Anna</a>
<span class="mute">10 minutes, no login</span></div>
<ol class="story" aria-label="The story">{story}</ol></div>
"""

OWN = """
<div class="card own" id="own"><div><h2>Bring your own table</h2>
<p>Use a table that you know. See its risk at once in Explore; from there, judge and protect it in Protect.</p></div>
<div><ul><li>CSV or Excel, or cells copied from a spreadsheet</li>
<li>Totals are found and left out, so nobody is counted twice</li>
<li>It stays in this tab until you close it; the server keeps nothing of it once you have left</li></ul>
<div class="go"><a class="main-way" href="{paste}">Paste your own table</a>
<a href="explore.ipynb">Open a file in Explore</a>
<button type="button" id="forget" hidden>Forget my table</button><span class="mute" role="status" id="forgotten"></span>
</div></div></div>
"""
