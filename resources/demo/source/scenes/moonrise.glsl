// A full moon, long lens, behind a ridge with a few pines and someone standing there.

float relief(vec2 p) {
  float h = 0.55 * fbm(p * 3.0 + 1.7, 6);
  for (int k = 0; k < 3; k++) {
    float scale = 3.0 + 4.5 * float(k);
    vec2 q = p * scale + float(k) * 3.0, cell = floor(q);
    for (int j = 0; j < 9; j++) {
      vec2 c = cell + vec2(j % 3 - 1, j / 3 - 1);
      float r = 0.12 + 0.30 * pow(hash2(c + 2.0), 2.0), d = length(q - c - hash22(c)) / r;
      h += (smoothstep(1.3, 1.0, d) * smoothstep(0.6, 1.0, d) * 0.30 - 0.34 * smoothstep(1.0, 0.2, d)) * r / scale * step(0.55, hash2(c + 6.0)) * 0.9;
    }
  }
  return h;
}

vec3 moon(vec2 q, float r) {
  float z = sqrt(max(0.0, 1.0 - dot(q, q) / (r * r)));
  vec2 s = q / r / (0.65 + 0.5 * z);
  vec2 e = vec2(0.01, 0.0);
  vec2 slope = vec2(relief(s + e) - relief(s - e), relief(s + e.yx) - relief(s - e.yx)) / 0.02;
  float sea = smoothstep(0.47, 0.62, fbm(s * 1.5 + vec2(4.2, 1.3), 4) + 0.10 * s.x + 0.12 * s.y);
  float light = 0.62 + 0.16 * dot(slope, vec2(-0.8, 0.5)) + 0.12 * z;
  return mix(vec3(1.0, 0.80, 0.58), vec3(0.52, 0.40, 0.32), sea) * light * (0.75 + 0.5 * fbm(s * 6.0, 4)) * mix(vec3(1.0, 0.74, 0.52), vec3(1.0), smoothstep(-0.9, 0.9, q.y / r));
}

float conifer(vec2 p, float tall, float id) {
  float y = p.y / tall, x = abs(p.x + 0.004 * sin(y * 5.0 + id));
  float tier = fract(y * 13.0 + x / tall * 12.0 + (p.x > 0.0 ? 0.5 : 0.0));
  float width = tall * 0.17 * (1.0 - y) * (1.0 - 0.55 * tier) * (0.6 + 0.7 * noise(p * 90.0 + id * 7.0)) + 0.0022;
  return y > 0.0 && y < 1.0 ? smoothstep(0.003, -0.003, x - width) : 0.0;
}

vec3 photo(vec2 uv) {
  vec3 c = mix(vec3(0.205, 0.125, 0.15), vec3(0.030, 0.050, 0.115), smoothstep(-0.75, 0.95, uv.y));
  vec2 q = uv - vec2(0.13, 0.07);
  float r = 0.44, d = length(q);
  c += vec3(0.55, 0.33, 0.18) * 0.30 * exp(-max(d - r, 0.0) * 4.2);
  c = mix(c, moon(q, r) * 1.5, smoothstep(0.003, -0.003, d - r));
  float veil = smoothstep(0.42, 0.80, fbm(vec2(uv.x * 1.1, uv.y * 6.0) + 3.0, 5)) * smoothstep(0.5, -0.2, uv.y);
  c = mix(c, vec3(0.15, 0.10, 0.115), veil * 0.62);
  float far = -0.44 + 0.13 * fbm(vec2(uv.x * 1.5 + 7.0, 1.0), 6);
  c = mix(c, vec3(0.052, 0.045, 0.065), smoothstep(0.003, -0.003, uv.y - far - 0.010 * noise(vec2(uv.x * 90.0, 2.0))));
  float ridge = -0.52 + 0.30 * uv.x * (0.4 + uv.x) + 0.06 * fbm(vec2(uv.x * 4.0, 5.0), 5);
  float cover = smoothstep(0.003, -0.003, uv.y - ridge - 0.006 * noise(vec2(uv.x * 160.0, 0.0)));
  for (int i = 0; i < 11; i++) {
    float k = float(i), x = -0.82 + 0.11 * k + 0.07 * hash1(k * 3.0);
    if (i == 5 || i == 6) continue;
    float foot = -0.53 + 0.30 * x * (0.4 + x) + 0.03;
    cover = max(cover, conifer(uv - vec2(x, foot), 0.09 + 0.17 * hash1(k * 5.7 + 1.0), k));
  }
  vec2 w = uv - vec2(-0.145, -0.500);
  float person = min(segment(w, vec2(0.0, 0.045), vec2(0.0, 0.075)) - 0.0125, length(w - vec2(0.001, 0.104)) - 0.0105);
  person = min(person, min(segment(w, vec2(-0.004, 0.04), vec2(-0.010, -0.01)) - 0.0055, segment(w, vec2(0.004, 0.04), vec2(0.011, -0.01)) - 0.0055));
  person = min(person, segment(w, vec2(0.010, 0.078), vec2(0.022, 0.045)) - 0.004);
  cover = max(cover, smoothstep(0.002, -0.002, person));
  return mix(c, vec3(0.0045, 0.0045, 0.0075), cover);
}
