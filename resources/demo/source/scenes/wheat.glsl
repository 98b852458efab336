// Ripe wheat under a storm, the last gap of light at the horizon.

vec3 storm(vec2 p) {
  float up = p.y + 0.22;
  vec3 c = mix(vec3(1.05, 0.80, 0.48), vec3(0.20, 0.24, 0.28), smoothstep(0.02, 0.30, up));
  vec2 q = vec2(p.x * 0.75, 0.35) / (0.22 + max(up, 0.0)) ;
  vec2 roll = vec2(p.x * 0.9, up * 2.1) + 0.5 * vec2(fbm(p * 1.4, 4), fbm(p * 1.4 + 7.0, 4));
  float h = fbm(roll * 1.6 + 4.0, 7), below = fbm(roll * 1.6 + 4.0 + vec2(0.0, -0.10), 7);
  float body = smoothstep(0.28, 0.62, h + 0.35 * smoothstep(0.1, 0.8, up));
  vec3 cloud = mix(vec3(0.045, 0.060, 0.082), vec3(0.34, 0.36, 0.38), clamp(0.42 + (h - below) * 3.2, 0.0, 1.0));
  cloud += vec3(0.42, 0.26, 0.12) * smoothstep(0.42, 0.05, up) * clamp((below - h) * 2.0 + 0.3, 0.0, 1.0);
  c = mix(c, cloud, body * smoothstep(0.03, 0.20, up));
  float rain = smoothstep(0.45, 0.75, fbm(vec2(p.x * 3.0 + up * 1.2, up * 0.35), 5)) * exp(-pow((p.x - 0.72) * 2.2, 2.0));
  c = mix(c, vec3(0.17, 0.20, 0.24), rain * 0.85 * smoothstep(0.0, 0.06, up) * smoothstep(0.55, 0.25, up));
  float b = 0.0, y = up;
  float x = -0.46 + 0.10 * (fbm(vec2(up * 6.0, 2.0), 4) - 0.5) + 0.035 * (fbm(vec2(up * 34.0, 5.0), 3) - 0.5);
  b = smoothstep(0.0045, 0.0, abs(p.x - x)) * 3.2 + 0.010 / (abs(p.x - x) + 0.02);
  c += vec3(0.75, 0.72, 1.0) * b * step(0.0, up) * smoothstep(0.62, 0.45, up) * 0.85;
  return c;
}

vec3 photo(vec2 uv) {
  vec3 c = storm(uv);
  float trees = -0.205 + 0.028 * fbm(vec2(uv.x * 5.0, 1.0), 5) + 0.05 * exp(-pow((uv.x - 0.42) * 14.0, 2.0)) * (0.7 + 0.5 * noise(uv * 60.0));
  c = mix(c, vec3(0.028, 0.034, 0.030), smoothstep(0.003, -0.003, uv.y - trees));
  vec2 lens = spread(lensDrift);
  vec2 disc = sqrt(lens.x) * vec2(cos(6.2832 * lens.y), sin(6.2832 * lens.y));
  for (int k = 0; k < 16; k++) {
    float depth = pow(float(k) / 15.0, 2.0), scale = mix(0.07, 1.0, depth);
    vec2 p = uv + disc * 0.020 * smoothstep(0.55, 1.0, depth);
    float base = mix(-0.225, -1.12, depth), cellW = 0.075 * scale;
    float gust = 0.5 + 0.5 * sin(p.x * 2.1 / scale * 0.4 + float(k) * 0.9);
    vec3 field = mix(vec3(0.62, 0.44, 0.19), vec3(0.36, 0.22, 0.065), depth) * (0.75 + 0.35 * gust);
    c = mix(c, field * 0.42, smoothstep(0.004 + 0.02 * scale, -0.01, p.y - base - 0.22 * scale + 0.05 * scale * noise(vec2(p.x * 40.0 / scale, float(k)))));
    for (int j = -2; j <= 2; j++) {
      float cell = floor(p.x / cellW) + float(j), id = hash2(vec2(cell, float(k) + 3.0));
      float tall = (0.42 + 0.26 * id) * scale, foot = base - 0.05 * scale;
      float y = clamp((p.y - foot) / tall, 0.0, 1.0), lean = (0.16 + 0.20 * gust + 0.14 * (id - 0.5)) * scale;
      float x = (cell + 0.2 + 0.6 * hash1(id * 7.0)) * cellW + lean * y * y;
      float above = p.y - foot - tall;
      float stalk = abs(p.x - x) - 0.0030 * scale;
      float ear = 9.0;
      vec2 e = turn(0.45 + 0.5 * gust * 0.6) * (p - vec2((cell + 0.2 + 0.6 * hash1(id * 7.0)) * cellW + lean, foot + tall)) / scale;
      float grain = 0.013 * (0.70 + 0.42 * abs(sin(e.y * 70.0 + (e.x > 0.0 ? 1.57 : 0.0))));
      ear = max(abs(e.x) - grain * smoothstep(0.16, 0.06, e.y) * smoothstep(-0.015, 0.02, e.y), max(-e.y, e.y - 0.16));
      float awn = max(abs(abs(e.x) - 0.014 - 0.16 * e.y * (0.6 + 0.4 * sin(e.y * 50.0))) - 0.0013, max(-e.y + 0.02, e.y - 0.24));
      vec3 gold = mix(vec3(0.92, 0.66, 0.27), vec3(0.60, 0.38, 0.11), hash1(id * 3.0)) * (0.72 + 0.75 * smoothstep(-0.2, 1.0, above / scale + 0.4));
      c = mix(c, gold * 0.62, smoothstep(0.0025, -0.001, stalk) * step(above, 0.0) * step(foot, p.y));
      c = mix(c, gold, smoothstep(0.003 / scale, -0.002 / scale, ear));
      c = mix(c, gold * 1.05, 0.55 * smoothstep(0.002 / scale, 0.0, awn));
    }
    c = mix(c, vec3(0.72, 0.54, 0.30), 0.10 * (1.0 - depth) * smoothstep(0.01, -0.01, p.y - base));
  }
  return c;
}
