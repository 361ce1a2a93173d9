"""One sentence in each of many languages, by an encoding that was used for it."""

from __future__ import annotations

SENTENCES = {
    "cp1252": "La première traversée est à six heures, et le bac revient après midi, même l'été.",
    "cp1250": "Przystań była zamknięta, a prom nie wrócił przed północą, więc się nie spieszyliśmy.",
    "iso8859_2": "Loď odjíždí každé ráno v šest hodin a vrací se před půlnocí, když je počasí dobré.",
    "cp1251": "Паром отправляется каждое утро в шесть часов и возвращается до полуночи.",
    "koi8_r": "Паром отправляется каждое утро в шесть часов и возвращается до полуночи.",
    "cp866": "Паром отправляется каждое утро в шесть часов и возвращается до полуночи.",
    "cp1253": "Το πλοίο φεύγει κάθε πρωί στις έξι και επιστρέφει πριν από τα μεσάνυχτα.",
    "cp1254": "Vapur her sabah altıda kalkıyor ve gece yarısından önce bir daha dönüyor, çünkü iş çok.",
    "cp1255": "המעבורת יוצאת כל בוקר בשש וחוזרת לפני חצות.",
    "cp1256": "تغادر العبارة كل صباح في الساعة السادسة وتعود قبل منتصف الليل.",
    "shift_jis": "船は毎朝六時に港を出て、夜中の前に戻ります。切符は船の上で買えます。",
    "euc_jp": "船は毎朝六時に港を出て、夜中の前に戻ります。切符は船の上で買えます。",
    "gb18030": "渡船每天早上六点离开港口，在午夜之前回来。票可以在船上买到，孩子不要票。",
    "big5": "渡船每天早上六點離開港口，在午夜之前回來。票可以在船上買到，孩子不要票。",
    "euc_kr": "배는 매일 아침 여섯 시에 항구를 떠나 자정 전에 돌아옵니다. 표는 배에서 살 수 있습니다.",
    "mac_roman": "Die Fähre fährt täglich über die Bucht, und das Büro ist nicht geöffnet.",
    "cp850": "Die Fähre fährt täglich über die Bucht, und das Büro ist nicht geöffnet.",
}
