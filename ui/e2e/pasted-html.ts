// Clipboard contents of the programs that texts are copied from, with the Markdown that they become.

const word = `<html xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:w="urn:schemas-microsoft-com:office:word"><head><style>
<!-- @list l0:level1 {mso-level-start-at:5;} p.MsoListParagraph {margin-left:36.0pt;} --></style></head><body lang=IT>
<!--StartFragment--><p class=MsoNormal>2019. Corso di base<o:p></o:p></p>
<p class=MsoNormal>2021. Master, vedi <a href="#_Toc123">indice</a> e <a href="file:///C:\\Documenti\\a.docx">scheda</a><o:p></o:p></p>
<p class=MsoListParagraphCxSpFirst style='text-indent:-18.0pt;mso-list:l0 level1 lfo1'><![if !supportLists]><span style='mso-list:Ignore'>5.<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;&nbsp;</span></span><![endif]>cinque<o:p></o:p></p>
<p class=MsoListParagraphCxSpMiddle style='mso-list:l0 level2 lfo1'><![if !supportLists]><span style='mso-list:Ignore'>a)<span>&nbsp;&nbsp;</span></span><![endif]>primo caso<o:p></o:p></p>
<p class=MsoListParagraphCxSpMiddle style='mso-list:l0 level2 lfo1'><![if !supportLists]><span style='mso-list:Ignore'>b)<span>&nbsp;&nbsp;</span></span><![endif]>secondo caso<o:p></o:p></p>
<p class=MsoListParagraphCxSpLast style='mso-list:l0 level1 lfo1'><![if !supportLists]><span style='mso-list:Ignore'>6.<span>&nbsp;&nbsp;</span></span><![endif]>sei<o:p></o:p></p>
<p class=MsoListParagraphCxSpFirst style='mso-list:l1 level1 lfo2'><![if !supportLists]><span style='font-family:Symbol'>·<span>&nbsp;&nbsp;</span></span><![endif]>coperta<o:p></o:p></p>
<table class=MsoTableGrid border=1><tr><td width=100><p class=MsoNormal><b>Corso</b><o:p></o:p></p></td><td><p class=MsoNormal>Prezzo<o:p></o:p></p></td></tr>
<tr><td><p class=MsoNormal>Base<o:p></o:p></p></td><td><p class=MsoNormal>95 €<o:p></o:p></p></td></tr></table><!--EndFragment--></body></html>`

const docs = `<meta charset='utf-8'><b style="font-weight:normal;" id="docs-internal-guid-1"><ol start="5" style="margin-top:0;"><li dir="ltr" style="list-style-type:decimal;" aria-level="1"><p dir="ltr" role="presentation"><span style="white-space:pre-wrap;">cinque</span></p></li><ol><li dir="ltr" style="list-style-type:lower-alpha;" aria-level="2"><p dir="ltr"><span>caso uno</span></p></li><li dir="ltr" style="list-style-type:lower-alpha;" aria-level="2"><p dir="ltr"><span>caso due</span></p></li></ol><li dir="ltr" style="list-style-type:decimal;" aria-level="1"><p dir="ltr"><span>sei</span></p></li></ol><ol start="2019"><li dir="ltr" style="list-style-type:decimal;"><p dir="ltr"><span>Corso</span></p></li></ol><p dir="ltr"><a href="#heading=h.abc"><span>Indice</span></a> e <a href="https://www.google.com/url?q=https://example.com/a?utm_source%3Dx&amp;sa=D"><span>qui</span></a></p><div dir="ltr" align="left"><table><colgroup><col /><col /></colgroup><tbody><tr><td><p dir="ltr"><span>Corso</span></p></td><td><p dir="ltr"><span>Prezzo</span></p></td></tr><tr><td><p dir="ltr"><span>Base</span></p></td><td><p dir="ltr"><span>95 €</span></p></td></tr></tbody></table></div></b>`

const notes = `<html><head><meta name="Generator" content="Cocoa HTML Writer"><style type="text/css">p.p1 {margin: 0.0px} ol.ol1 {list-style-type: lower-roman} ul.ul1 {list-style-type: disc}</style></head><body>
<p class="p1">2019. Corso</p>
<ol class="ol1">
<li class="li1">uno</li>
<li class="li1">due</li>
</ol>
<ol class="ol2" start="5">
<li class="li1">cinque</li>
<li class="li1" value="8">otto</li>
</ol>
<ul class="ul1">
<li class="li1">coperta</li>
</ul>
<p class="p1"><a href="applewebdata://1/#x">Nota</a> <a href="x-apple-data-detectors://0">domani</a></p>
<table cellspacing="0" class="t1"><tbody><tr><td class="td1"><p class="p1">Base</p></td><td class="td1"><p class="p1">95 €</p></td></tr></tbody></table>
</body></html>`

const whatsapp = `<div class="copyable-text" data-pre-plain-text="[10:32, 11/2/2025] Anna: "><span dir="ltr" style="white-space: pre-wrap;"><span>Studi:
2019. Corso
2021. Master
Scrivi a <a href="mailto:anna@example.it">anna@example.it</a> o vedi www.example.it <img alt="🙏" src="data:image/gif;base64,R0"></span></span></div>`

const pdf = `<meta charset="utf-8"><span role="presentation" dir="ltr">2019. Corso di base</span><br role="presentation"><span role="presentation" dir="ltr">2021. Master in respiro</span><br role="presentation"><span role="presentation" dir="ltr">5. Portare una coperta</span>`

const page = `<style>ol.1 {list-style-type: lower-roman}</style><p><a href="#">su</a> <a href="javascript:void(0)">apri</a> <a>nome</a> <a href="https://example.com/b?mc_eid=1">b</a></p><ol reversed><li>a</li><li>b</li></ol><ol type="A" start="3"><li>c<p>altro</p></li></ol>`

export const PASTED: readonly (readonly [
  name: string,
  html: string,
  plain: string,
  markdown: string,
])[] = [
  [
    'Word',
    word,
    'x',
    '2019\\. Corso di base\n\n2021\\. Master, vedi indice e scheda\n\n5. cinque\n\n   a) primo caso\n\n   b) secondo caso\n\n6. sei\n\n- coperta\n\n**Corso** – Prezzo\n\nBase – 95 €',
  ],
  [
    'Google Docs',
    docs,
    'x',
    '5. cinque\n\n   a) caso uno\n\n   b) caso due\n\n6. sei\n\n2019\\. Corso\n\nIndice e [qui](https://example.com/a)\n\nCorso – Prezzo\n\nBase – 95 €',
  ],
  [
    'Apple Pages and Notes',
    notes,
    'x',
    '2019\\. Corso\n\ni) uno\n\nii) due\n\n5. cinque\n\n8) otto\n\n- coperta\n\nNota domani\n\nBase – 95 €',
  ],
  [
    'WhatsApp Web',
    whatsapp,
    'x',
    'Studi:\\\n2019\\. Corso\\\n2021\\. Master\\\nScrivi a [anna@example.it](mailto:anna@example.it) o vedi [www.example.it](https://www.example.it) 🙏',
  ],
  [
    'a PDF viewer',
    pdf,
    'x',
    '2019\\. Corso di base\\\n2021\\. Master in respiro\\\n5\\. Portare una coperta',
  ],
  [
    'a web page',
    page,
    'x',
    'su apri nome [b](https://example.com/b)\n\n2. a\n\n1) b\n\nC) c\n\naltro',
  ],
  ['an address', '', ' https://example.it/a\n', '[https://example.it/a](https://example.it/a)'],
]
